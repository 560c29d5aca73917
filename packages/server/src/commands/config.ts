import type { Command } from "./command.ts";

export const configCommand: Command = {
  name: "config",
  summary: "Shows the settings and where each comes from",
  usage: "sineta config",
  help: "Prints every setting with its value and its source; secrets are masked.",
  options: {},
  run: async ({ report, terminal }) => {
    const nameWidth = Math.max(...report.settings.map(({ variable }) => variable.length));
    const valueWidth = Math.max(...report.settings.map(({ value }) => value.length));
    for (const { variable, value, source } of report.settings) {
      terminal.out(`${variable.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${source}\n`);
    }
    for (const warning of report.warnings) terminal.err(`${warning}\n`);
    return 0;
  },
};
