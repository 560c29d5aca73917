import { copyFile, writeFile } from "node:fs/promises";
import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts" },
  format: ["esm"],
  platform: "browser",
  target: "es2022",
  minify: true,
  // The bell has state and effects: where React renders on a server, it is for the browser.
  banner: { js: '"use client";' },
  dts: { oxc: true },
  deps: { alwaysBundle: ["@mdi/js"], neverBundle: ["@sineta/client", /^react/] },
  async onSuccess() {
    await copyFile("src/bell.css", "dist/bell.css");
    // TypeScript wants types even of what is imported for its effect alone.
    await writeFile("dist/bell.css.d.ts", "export {};\n");
  },
});
