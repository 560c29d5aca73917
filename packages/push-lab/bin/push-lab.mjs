#!/usr/bin/env node
// Plain JavaScript that an old Node can still read, so that it can say what is missing.
const oldestNode = 26;

if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  process.stderr.write(
    `push-lab needs Node ${oldestNode} or newer, and this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  const { main } = await import("../src/main.ts");
  process.exitCode = await main(process.argv.slice(2));
}
