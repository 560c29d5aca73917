#!/usr/bin/env node
// Plain JavaScript, so that a Node that is too old for the rest can still say so.
const major = Number(process.versions.node.split(".")[0]);
if (major < 26) {
  process.stderr.write(
    `sineta: Node ${process.versions.node} is too old: run it with Node 26 or later (npm run sineta brings its own).\n`,
  );
  process.exit(1);
}
const { main } = await import("../src/main.ts");
await main();
