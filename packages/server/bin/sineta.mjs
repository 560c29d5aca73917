#!/usr/bin/env node
// Plain JavaScript, so that a Node that is too old for the rest can still say so.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// A checkout runs from its source. A package holds none (Node strips no types in node_modules), but what was built.
const isCheckout = existsSync(new URL("../src/main.ts", import.meta.url));
const major = Number(process.versions.node.split(".")[0]);
if (major < 26) {
  const way = isCheckout
    ? "npm run sineta brings its own"
    : "npm install node@26 brings one for the project";
  process.stderr.write(
    `sineta: Node ${process.versions.node} is too old: run it with Node 26 or later (${way}).\n`,
  );
  process.exit(1);
}
// Names are looked up in libuv's pool, each in a thread of it for as long as DNS takes. Made-up hosts of push services, of which a few are
// looked up at a time, leave most of these free.
process.env.UV_THREADPOOL_SIZE ??= "16";
const { main } = await import(isCheckout ? "../src/main.ts" : "../dist/main.js");
const places = {
  siteFolder: fileURLToPath(new URL("../dist/site", import.meta.url)),
  consoleFolder: fileURLToPath(new URL("../dist/console", import.meta.url)),
  referenceFolder: fileURLToPath(new URL("../dist/reference", import.meta.url)),
  workerFile: fileURLToPath(new URL("../dist/sineta-sw.js", import.meta.url)),
};
await main(isCheckout ? undefined : places);
