#!/usr/bin/env node
// Plain JavaScript that an old Node can still read, so that it can say what is missing.
import { existsSync } from "node:fs";

const oldestNode = 26;

if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  process.stderr.write(
    `push-lab needs Node ${oldestNode} or newer, and this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  // A checkout runs from its source. A package holds none (Node strips no types in node_modules), but what was built.
  const isCheckout = existsSync(new URL("../src/main.ts", import.meta.url));
  const { main } = await import(isCheckout ? "../src/main.ts" : "../dist/main.js");
  process.exitCode = await main(process.argv.slice(2));
}
