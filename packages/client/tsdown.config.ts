import { defineConfig } from "tsdown";

// The builds run at the same time: none may clean away what another has written.
const browser = { platform: "browser", target: "es2022", minify: true, clean: false } as const;
/** Page and worker never meet in one bundle, so each is one whole file: a page without a bundler copies them. */
const esm = { ...browser, format: ["esm"], dts: { oxc: true } } as const;
/** A React Server Component that calls `createMessaging` fails with React's own words, instead of getting null. */
const page = { ...esm, banner: { js: '"use client";' } } as const;

export default defineConfig([
  {
    ...page,
    entry: { index: "src/index.ts" },
    // What only pages on loopback load is named as its source is, `hints.js`.
    outputOptions: { chunkFileNames: "[name].js", comments: { annotation: false } },
  },
  {
    ...page,
    entry: { firebase: "src/page/firebase.ts" },
    deps: { neverBundle: ["@sineta/client", "firebase/messaging"] },
  },
  { ...esm, entry: { worker: "src/worker/index.ts" } },
  {
    ...browser,
    entry: { sw: "src/worker/sw.ts" },
    format: ["iife"],
    dts: false,
    deps: { alwaysBundle: [/.*/] },
    outputOptions: { entryFileNames: "sw.js", comments: false },
  },
]);
