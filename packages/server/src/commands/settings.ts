import { limits, settingsSchema, type SettingsChange } from "@sineta/protocol";
import {
  createProjectSettings,
  type ProjectSettingsAccess,
} from "../access/quotas/project-settings.ts";
import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { defaultProjectName } from "../projects/project.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command } from "./command.ts";
import { tableOf } from "./table.ts";

type Setting = {
  expected: string;
  /** Undefined where the word cannot be used. */
  read(word: string): SettingsChange | undefined;
  show(settings: Awaited<ReturnType<ProjectSettingsAccess["read"]>>): string;
};

const settings: Readonly<Record<string, Setting>> = {
  "display-name": {
    expected: `at most ${limits.displayNameCharacters} characters`,
    read(word) {
      const read = settingsSchema.shape.displayName.safeParse(word);
      return read.success ? { displayName: read.data } : undefined;
    },
    show: ({ displayName }) => displayName,
  },
  receipts: {
    expected: "on or off",
    read: (word) => (word === "on" || word === "off" ? { receipts: word === "on" } : undefined),
    show: ({ receipts }) => (receipts ? "on" : "off"),
  },
  "registrations-quota": quota("registrationsQuota"),
  "messages-per-hour-quota": quota("messagesPerHourQuota"),
};

function quota(name: "registrationsQuota" | "messagesPerHourQuota"): Setting {
  return {
    expected: `a number from 0 to ${limits[name]}`,
    read: (word) => {
      const read = /^\d+$/.test(word)
        ? settingsSchema.shape[name].safeParse(Number(word))
        : { success: false as const };
      return read.success ? { [name]: read.data } : undefined;
    },
    show: (shown) => String(shown[name]),
  };
}

export const settingsCommand: Command = {
  name: "settings",
  summary: "Shows the project's settings: quotas, and whether browsers report; changes one",
  usage: "sineta settings [NAME VALUE]",
  help: `Without words: a list of the settings. A running server obeys a change at once.
  display-name             what people read as the project's name
  receipts                 on or off: whether browsers report what becomes of a notification
  registrations-quota      how many live registrations the project may have; those there are stay
  messages-per-hour-quota  how many messages may be published within any hour`,
  options: {},
  takesWords: true,
  run: async ({ words, report, terminal }) => {
    const [name, value, ...others] = words;
    const setting = name === undefined ? undefined : settingOf(name);
    if (setting !== undefined && value === undefined) {
      throw usage(`sineta settings ${name} needs a value: expected ${setting.expected}`);
    }
    if (others.length > 0) throw usage("There is a word too many");
    const change = value === undefined ? undefined : setting?.read(value);
    if (setting !== undefined && change === undefined) {
      throw usage(`${name} cannot be ${JSON.stringify(value)}: expected ${setting.expected}`);
    }
    const nowMs = Date.now();
    const store = await openPresentDataFolder(report.config.dataFolder, nowMs);
    try {
      const project = await store.projects.ensure(defaultProjectName, nowMs);
      const access = createProjectSettings({ store: store.projects, now: Date.now });
      const now =
        change === undefined
          ? await access.read(project)
          : await access.change(project, change, commandLineAsker());
      const rows = Object.entries(settings).map(([row, one]) => [row, one.show(now)]);
      terminal.out(tableOf([["NAME", "VALUE"], ...rows]));
      return 0;
    } finally {
      await store.close();
    }
  },
};

function settingOf(name: string): Setting {
  const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
  if (setting === undefined) throw usage(`There is no setting ${JSON.stringify(name)}`);
  return setting;
}

function usage(sentence: string): CommandError {
  return new CommandError("usage", `${sentence}: see sineta settings --help.`);
}
