import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "tsdown";

const swaggerUi = dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
const figtree = dirname(
  fileURLToPath(import.meta.resolve("@fontsource-variable/figtree/package.json")),
);
/** Of the pages at /docs and /docs/errors. */
const reference = [
  ...["docs.css", "reference.css", "reference.js", "errors.css"].map((file) =>
    join("reference", file),
  ),
  fileURLToPath(import.meta.resolve("@sineta/look/theme.css")),
  fileURLToPath(import.meta.resolve("@sineta/look/fallback.css")),
  join(figtree, "files", "figtree-latin-wght-normal.woff2"),
  ...["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"].map((file) =>
    join(swaggerUi, file),
  ),
];

export default defineConfig({
  entry: {
    main: "src/main.ts",
    "push-thread": "src/delivery/threads/push-thread.ts",
    "reader-thread": "src/store/sqlite/reading/reader-thread.ts",
  },
  format: ["esm"],
  platform: "node",
  target: "node26",
  fixedExtension: false,
  // A command: nobody imports it.
  dts: false,
  // Protocol is private: npm would not find it. Nothing else gets in, such as what package.json forgets to name.
  deps: { alwaysBundle: [/^@sineta\/protocol/], onlyBundle: [] },
  // What the server serves, from the builds of the site and of the client.
  copy: [
    { from: "../../apps/site/dist", to: "dist", rename: "site" },
    { from: "../../apps/console/dist", to: "dist", rename: "console" },
    ...reference.map((from) => ({ from, to: "dist/reference" })),
    { from: join(figtree, "LICENSE"), to: "dist/reference", rename: "figtree-license.txt" },
    { from: "../client/dist/sw.js", to: "dist", rename: "sineta-sw.js" },
  ],
});
