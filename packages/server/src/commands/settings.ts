import {
  limits,
  pageOriginExpected,
  settingsSchema,
  textExpected,
  textRules,
  type SettingsChange,
} from "@sineta/protocol";
import {
  createProjectSettings,
  type ProjectSettingsAccess,
} from "../access/quotas/project-settings.ts";
import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { defaultProjectName } from "../projects/project.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command } from "./command.ts";
import { namedIn } from "./named.ts";
import { tableOf } from "./table.ts";

type Setting = {
  expected: string;
  /** Undefined where the word cannot be used. */
  read(word: string): SettingsChange | undefined;
  show(settings: Awaited<ReturnType<ProjectSettingsAccess["read"]>>): string;
};

const settings: Readonly<Record<string, Setting>> = {
  "display-name": {
    expected: textExpected(textRules.displayName),
    read(word) {
      const read = settingsSchema.shape.displayName.safeParse(word);
      return read.success ? { displayName: read.data } : undefined;
    },
    show: ({ displayName }) => displayName,
  },
  origins: {
    expected: `${pageOriginExpected}, comma separated, at most ${limits.originsPerProject}; or none`,
    read(word) {
      const words = word === "none" ? [] : word.split(",");
      const read = settingsSchema.shape.origins.safeParse(words);
      return read.success ? { origins: read.data } : undefined;
    },
    show: ({ origins }) => origins.join(",") || "none",
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
  summary:
    "Shows the project's settings: origins, quotas, and whether browsers report; changes one",
  usage: "sineta settings [NAME VALUE]",
  help: `Without words: a list of the settings. A running server obeys a change at once.
  display-name             what people read as the project's name
  origins                  where pages may register, beside Sineta's own address: such as https://example.com,https://www.example.com;
                           SINETA_ORIGINS rules where it is set
  receipts                 on or off: whether browsers report what becomes of a notification
  registrations-quota      how many live registrations the project may have; those there are stay
  messages-per-hour-quota  how many messages may be published within any hour`,
  options: {},
  takesWords: true,
  run: async ({ words, report, terminal }) => {
    const [name, value, ...others] = words;
    const setting =
      name === undefined
        ? undefined
        : namedIn(settings, name, { what: "setting", command: "settings" });
    if (setting !== undefined && value === undefined) {
      throw usage(`sineta settings ${name} needs a value: expected ${setting.expected}`);
    }
    if (others.length > 0) throw usage("There is a word too many");
    const change = value === undefined ? undefined : setting?.read(value);
    if (setting !== undefined && change === undefined) {
      throw usage(`${name} cannot be ${JSON.stringify(value)}: expected ${setting.expected}`);
    }
    const ruling = report.config.origins;
    if (change?.origins !== undefined && ruling !== null) {
      throw new CommandError(
        "origins-fixed",
        `The origins are set by SINETA_ORIGINS (${ruling.join(",")}): change that where the server is started, or leave it out there.`,
      );
    }
    const nowMs = Date.now();
    const store = await openPresentDataFolder(report.config.dataFolder, nowMs);
    try {
      const project = await store.projects.ensure(defaultProjectName, nowMs);
      const access = createProjectSettings({ store: store.projects, now: Date.now });
      const before = await access.read(project);
      const now =
        change === undefined ? before : await access.change(project, change, commandLineAsker());
      const shown = ruling === null ? now : { ...now, origins: ruling };
      const rows = Object.entries(settings).map(([row, one]) => [row, one.show(shown)]);
      terminal.out(tableOf([["NAME", "VALUE"], ...rows]));
      const live = new Map(await access.liveByPageOrigin(project));
      for (const origin of before.origins) {
        const count = live.get(origin) ?? 0;
        if (now.origins.includes(origin) || count === 0) continue;
        const stay =
          count === 1
            ? "Its live registration stays, and goes"
            : `Its ${count} live registrations stay, and go`;
        terminal.out(`Pages of ${origin} can register no more. ${stay} on receiving messages.\n`);
      }
      return 0;
    } finally {
      await store.close();
    }
  },
};

function usage(sentence: string): CommandError {
  return new CommandError("usage", `${sentence}: see sineta settings --help.`);
}
