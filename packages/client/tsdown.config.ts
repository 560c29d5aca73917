import { defineConfig } from "tsdown";

const browser = { platform: "browser", target: "es2022", minify: true, dts: false } as const;
/** Page and worker never meet in one bundle, so each is whole. */
const esm = { ...browser, format: ["esm"] } as const;

export default defineConfig([
  { ...esm, entry: { index: "src/index.ts" } },
  { ...esm, entry: { worker: "src/worker/index.ts" }, clean: false },
  {
    ...browser,
    entry: { sw: "src/worker/sw.ts" },
    format: ["iife"],
    clean: false,
    deps: { alwaysBundle: [/.*/] },
    outputOptions: { entryFileNames: "sw.js" },
  },
]);
