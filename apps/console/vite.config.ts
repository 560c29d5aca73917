import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { themeVariables } from "./src/app/variables.ts";

const variablesId = "virtual:theme-variables.css";

/** The theme's variables as a file: Mantine would write them into the page, whose policy forbids inline styles. */
function variablesFile(): Plugin {
  return {
    name: "theme-variables",
    resolveId: (id) => (id === variablesId ? `\0${id}` : null),
    load: (id) => (id === `\0${variablesId}` ? themeVariables() : null),
  };
}

export default defineConfig({
  base: "/painel/",
  plugins: [react(), variablesFile()],
  resolve: { conditions: ["source", "module", "browser", "development|production"] },
  build: {
    // The page's policy allows no data: scripts or styles, and nothing inline.
    assetsInlineLimit: 0,
    // For scripts/console-size.mjs; the server does not serve it.
    manifest: true,
    modulePreload: { polyfill: false },
    target: "es2022",
    // The first versions with light-dark(). Compiled, a colour would follow the system and not the operator's choice.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    rolldownOptions: {
      output: {
        // What every page starts with, but for the entry, in one file and not in fifty.
        codeSplitting: {
          groups: [
            {
              name: "start",
              tags: ["$initial"],
              test: (id) => !/(index\.html|main\.tsx)$/.test(id),
            },
          ],
        },
      },
    },
  },
});
