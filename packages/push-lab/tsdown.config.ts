import { defineConfig } from "tsdown";

const modules = {
  index: "src/index.ts",
  playwright: "src/playwright/index.ts",
  puppeteer: "src/puppeteer/index.ts",
};

export default defineConfig({
  entry: { ...modules, main: "src/main.ts" },
  format: ["esm"],
  platform: "node",
  target: "node26",
  fixedExtension: false,
  // What package.json forgets to name would be bundled.
  deps: { onlyBundle: [] },
  // The command has no types: nobody imports it.
  dts: { oxc: true, entry: Object.values(modules) },
});
