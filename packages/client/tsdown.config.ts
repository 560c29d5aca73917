import { defineConfig } from "tsdown";

// The three builds run at the same time: none may clean away what another has written.
const browser = { platform: "browser", target: "es2022", minify: true, clean: false } as const;
/** Page and worker never meet in one bundle, so each is whole. */
const esm = { ...browser, format: ["esm"] } as const;

export default defineConfig([
  { ...esm, entry: { index: "src/index.ts" }, dts: { oxc: true } },
  { ...esm, entry: { worker: "src/worker/index.ts" }, dts: { oxc: true } },
  {
    ...browser,
    entry: { sw: "src/worker/sw.ts" },
    format: ["iife"],
    dts: false,
    deps: { alwaysBundle: [/.*/] },
    outputOptions: { entryFileNames: "sw.js" },
  },
]);
