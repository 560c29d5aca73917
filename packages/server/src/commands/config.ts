import type { Command } from "./command.ts";
import { tableOf } from "./table.ts";

export const configCommand: Command = {
  name: "config",
  summary: "Shows the settings and where each comes from",
  usage: "sineta config",
  help: "Prints every setting with its value and its source; secrets are masked.",
  options: {},
  run: async ({ report, terminal }) => {
    terminal.out(
      tableOf(report.settings.map(({ variable, value, source }) => [variable, value, source])),
    );
    for (const warning of report.warnings) terminal.err(`${warning}\n`);
    return 0;
  },
};
