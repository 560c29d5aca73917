import { copyFile } from "node:fs/promises";
import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts" },
  format: ["esm"],
  platform: "browser",
  target: "es2022",
  minify: true,
  dts: { oxc: true },
  deps: { alwaysBundle: ["@mdi/js"], neverBundle: ["@sineta/client", /^react/] },
  onSuccess: () => copyFile("src/bell.css", "dist/bell.css"),
});
