// The server as people install it, from what `npm run build` made: in a checkout it needs some 50 MB more, since it strips types as it loads.
import { fileURLToPath } from "node:url";

const dist = new URL("../../packages/server/dist/", import.meta.url);
const { main } = await import(new URL("main.js", dist).href);
await main({
  // Another page in place of the site, for bench/page.
  siteFolder: process.env["BENCH_SITE_FOLDER"] ?? fileURLToPath(new URL("site", dist)),
  consoleFolder: fileURLToPath(new URL("console", dist)),
  referenceFolder: fileURLToPath(new URL("reference", dist)),
  workerFile: fileURLToPath(new URL("sineta-sw.js", dist)),
});
