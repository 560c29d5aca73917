import { isIPv6 } from "node:net";
import { join, resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { parseEnv } from "node:util";
import { limits, pageOriginExpected } from "@sineta/protocol";
import { CommandError } from "./command-error.ts";
import { clientTakesForLoopback, configWarnings, envFileWarnings } from "./config-warnings.ts";
import { beginning, meantSetting } from "./meant-setting.ts";
import { isLongEnough, secretExpected, type GivenSecret } from "./secrets/given-secret.ts";
import * as read from "./settings.ts";
import { readTextFile, readTextFileIfThere } from "./text-file.ts";

export type Config = {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Absolute path. */
  dataFolder: string;
  /** Where people reach Sineta itself: its console and its own page. Null: no setting names it. */
  publicUrl: URL | null;
  /** Exact origins of the pages that may register beside Sineta's own; null: the project's settings say which. */
  origins: string[] | null;
  /** PEM, if the server speaks https itself. */
  tls: { cert: string; key: string } | null;
  /** Whom a push service may write to: `https:` or `mailto:` (RFC 8292, section 2.1). */
  vapidSubject: string;
  pushHosts: read.PushHost[];
  pushRoutes: ReturnType<typeof read.readPushRoutes> & {};
  /** Addresses and blocks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** What secrets at rest are sealed with; null: what the file in the data folder holds. */
  secret: GivenSecret | null;
  /** What they were sealed with until now: for `sineta secrets rotate` alone. */
  oldSecret: GivenSecret | null;
  /** What seals the secret in a back-up; null: the command asks. */
  backupPassphrase: string | null;
  /** For each address and project. */
  limits: { registrationsPerMinute: number; receiptsPerMinute: number };
  /** How long is kept what nothing needs any more. */
  keepDays: { ended: number; receipts: number; audit: number };
  /** With less free space on the disk of the data folder the console tells of it. */
  diskLowBytes: number;
  logLevel: read.LogLevel;
  /** Bound to a loopback name that the client knows, with no public URL: the one case in which `http://localhost` counts as secure. */
  development: boolean;
  /** Visitors reach the site by https, at a name that is not a machine's own: browsers may be told never to do so otherwise. */
  httpsOnly: boolean;
};

export type Source = "flag" | "environment" | ".env" | "default";

export type ConfigReport = {
  config: Config;
  /** Every setting as text, secrets masked, with where it came from. */
  settings: { variable: string; value: string; source: Source }[];
  /** Sentences that the operator should see. */
  warnings: string[];
  /** Those of them that tell of what looks like a setting and is none. */
  unknownSettings: string[];
};

type Setting<Value> = {
  variable: string;
  expected: string;
  read: (text: string) => Value | undefined;
  /** Shown by nobody. */
  secret?: true;
};

const settings = {
  host: {
    variable: "SINETA_HOST",
    expected: "an IP address or a host name, such as 127.0.0.1",
    read: read.readHost,
  },
  port: {
    variable: "SINETA_PORT",
    expected: "a port from 0 (any free one) to 65535",
    read: read.readPort,
  },
  data: { variable: "SINETA_DATA", expected: "a folder", read: (text) => text },
  publicUrl: {
    variable: "SINETA_PUBLIC_URL",
    expected: "Sineta's own address without a path, such as https://avisos.example.com",
    read: read.readPublicUrl,
  },
  origins: {
    variable: "SINETA_ORIGINS",
    expected: `${pageOriginExpected}, comma separated, at most ${limits.originsPerProject}`,
    read: read.readOrigins,
  },
  tlsCert: { variable: "SINETA_TLS_CERT", expected: "a PEM file", read: (text) => text },
  tlsKey: { variable: "SINETA_TLS_KEY", expected: "a PEM file", read: (text) => text },
  vapidSubject: {
    variable: "SINETA_VAPID_SUBJECT",
    expected:
      "an address such as mailto:admin@example.com or https://example.com, not on localhost",
    read: read.readVapidSubject,
  },
  pushHosts: {
    variable: "SINETA_PUSH_HOSTS",
    expected: "host or host:port, comma separated",
    read: read.readPushHosts,
  },
  pushRoutes: {
    variable: "SINETA_PUSH_ROUTES",
    expected: "host[:port]=address:port, comma separated",
    read: read.readPushRoutes,
  },
  trustedProxies: {
    variable: "SINETA_TRUSTED_PROXIES",
    expected: "addresses or blocks such as 10.0.0.0/8, or loopback, comma separated",
    read: read.readTrustedProxies,
  },
  secret: {
    variable: "SINETA_SECRET",
    expected: secretExpected,
    read: readSecretText,
    secret: true,
  },
  secretFile: {
    variable: "SINETA_SECRET_FILE",
    expected: "a file",
    read: (text) => text,
  },
  oldSecret: {
    variable: "SINETA_OLD_SECRET",
    expected: secretExpected,
    read: readSecretText,
    secret: true,
  },
  oldSecretFile: {
    variable: "SINETA_OLD_SECRET_FILE",
    expected: "a file",
    read: (text) => text,
  },
  backupPassphrase: {
    variable: "SINETA_BACKUP_PASSPHRASE",
    expected: "a passphrase",
    read: (text) => text,
    secret: true,
  },
  registrationsPerMinute: {
    variable: "SINETA_REGISTRATIONS_PER_MINUTE",
    expected: "a number from 1 to 1000000",
    read: read.readCount(1, 1_000_000),
  },
  receiptsPerMinute: {
    variable: "SINETA_RECEIPTS_PER_MINUTE",
    expected: "a number from 1 to 1000000",
    read: read.readCount(1, 1_000_000),
  },
  keepEndedDays: {
    variable: "SINETA_KEEP_ENDED_DAYS",
    expected: "a number from 1 to 3650",
    read: read.readCount(1, 3650),
  },
  keepReceiptsDays: {
    variable: "SINETA_KEEP_RECEIPTS_DAYS",
    expected: "a number from 1 to 3650",
    read: read.readCount(1, 3650),
  },
  keepAuditDays: {
    variable: "SINETA_KEEP_AUDIT_DAYS",
    expected: "a number from 30 to 3650",
    read: read.readCount(30, 3650),
  },
  diskLowMiB: {
    variable: "SINETA_DISK_LOW_MIB",
    expected: "a number of MiB from 1 to 1000000",
    read: read.readCount(1, 1_000_000),
  },
  logLevel: {
    variable: "SINETA_LOG_LEVEL",
    expected: `one of ${read.logLevels.join(", ")}`,
    read: read.readLogLevel,
  },
} as const satisfies Record<string, Setting<unknown>>;

type TextVariable = Extract<GivenSecret, { text: string }>["variable"];
type FileVariable = Extract<GivenSecret, { path: string }>["variable"];

/** Variables of later versions: saying nothing would let an operator believe that they work. */
const laterVariables = {
  DATABASE_URL: "this version keeps its data in SQLite only",
  NATS_URL: "this version works in one process only",
};

/**
 * The flag of each setting, as `parseArgs` of node:util takes it: SINETA_PUBLIC_URL is `--public-url`. A secret has none:
 * everybody on the machine sees a command line.
 */
export const settingOptions: Record<string, { type: "string" }> = Object.fromEntries(
  Object.values<Setting<unknown>>(settings).flatMap(({ variable, secret }) =>
    secret === true ? [] : [[flagOf(variable), { type: "string" }]],
  ),
);

/** Stands in reports for a secret. */
const hidden = "****";

/**
 * The one reader of flags, environment and `.env`: flags override the environment, which overrides the file.
 * An empty value counts as none.
 * @param input.folder where `.env` lies, and what relative paths are relative to
 * @throws CommandError `setting-invalid`: one sentence with the variable, the value and what is expected
 */
export function readConfig(input: {
  flags: Readonly<Record<string, unknown>>;
  environment: Readonly<Record<string, string | undefined>>;
  folder: string;
}): ConfigReport {
  const envPath = join(input.folder, ".env");
  const { entries: file, withoutValue } = readEnvFile(envPath);
  const report: ConfigReport["settings"] = [];

  function find(variable: string): { text: string; source: Source } | undefined {
    const flag = input.flags[flagOf(variable)];
    const candidates = [
      { text: typeof flag === "string" ? flag : undefined, source: "flag" },
      { text: input.environment[variable], source: "environment" },
      { text: file[variable], source: ".env" },
    ] as const;
    for (const { text, source } of candidates) {
      if (text !== undefined && text !== "") return { text, source };
    }
    return undefined;
  }

  function take<Value>(setting: Setting<Value>, fallback: Value, shown: string): Value {
    const found = find(setting.variable);
    report.push({
      variable: setting.variable,
      value: found !== undefined && setting.secret === true ? hidden : (found?.text ?? shown),
      source: found?.source ?? "default",
    });
    if (found === undefined) return fallback;
    const value = setting.read(found.text);
    if (value === undefined) {
      const given = setting.secret === true ? hidden : found.text;
      throw invalid(setting.variable, given, setting.expected);
    }
    return value;
  }

  function takeSecret(
    inText: Setting<string> & { variable: TextVariable },
    inFile: Setting<string> & { variable: FileVariable },
    shown: string,
  ): GivenSecret | null {
    const isInFile = find(inFile.variable) !== undefined;
    const text = take<string | null>(inText, null, isInFile ? "(none)" : shown);
    const path = take<string | null>(inFile, null, "(none)");
    if (text !== null && path !== null) {
      throw new CommandError(
        "setting-invalid",
        `${inText.variable} and ${inFile.variable} are both set: set one of them.`,
      );
    }
    if (text !== null) return { variable: inText.variable, text };
    if (path === null) return null;
    return { variable: inFile.variable, path: resolve(input.folder, path) };
  }

  const host = take(settings.host, "127.0.0.1", "127.0.0.1");
  const port = take(settings.port, 8080, "8080");
  const dataFolder = resolve(input.folder, take(settings.data, "data", "data"));
  const publicUrl = take<URL | null>(settings.publicUrl, null, "(none)");
  const origins = take<string[] | null>(settings.origins, null, "(the project's settings)");
  const tls = readTls(
    take<string | null>(settings.tlsCert, null, "(none)"),
    take<string | null>(settings.tlsKey, null, "(none)"),
    input.folder,
  );
  const subject = defaultVapidSubject(publicUrl);
  const config: Config = {
    host,
    port,
    dataFolder,
    publicUrl,
    origins,
    tls,
    vapidSubject: take(settings.vapidSubject, subject, subject),
    pushHosts: take(settings.pushHosts, [], "(none)"),
    pushRoutes: take(settings.pushRoutes, [], "(none)"),
    trustedProxies: take(settings.trustedProxies, [], "(none)"),
    secret: takeSecret(settings.secret, settings.secretFile, "(the file in the data folder)"),
    oldSecret: takeSecret(settings.oldSecret, settings.oldSecretFile, "(none)"),
    backupPassphrase: take<string | null>(settings.backupPassphrase, null, "(none)"),
    limits: {
      registrationsPerMinute: take(settings.registrationsPerMinute, 60, "60"),
      receiptsPerMinute: take(settings.receiptsPerMinute, 600, "600"),
    },
    keepDays: {
      ended: take(settings.keepEndedDays, 30, "30"),
      receipts: take(settings.keepReceiptsDays, 90, "90"),
      audit: take(settings.keepAuditDays, 365, "365"),
    },
    diskLowBytes: take(settings.diskLowMiB, 1024, "1024") * 1024 * 1024,
    logLevel: take<read.LogLevel>(settings.logLevel, "info", "info"),
    httpsOnly: publicUrl?.protocol === "https:" && !clientTakesForLoopback(publicUrl.hostname),
    development: publicUrl === null && clientTakesForLoopback(isIPv6(host) ? `[${host}]` : host),
  };
  const secrets = Object.values<Setting<unknown>>(settings).filter(
    ({ variable, secret }) => secret === true && (file[variable] ?? "") !== "",
  );
  const warnings = [...configWarnings(config), ...envFileWarnings(envPath, secrets)];
  for (const [variable, why] of Object.entries(laterVariables)) {
    const found = find(variable);
    if (found === undefined) continue;
    report.push({ variable, value: hidden, source: found.source });
    warnings.push(`${variable} is set but not used: ${why}.`);
  }
  const known = new Set<string>(Object.values(settings).map(({ variable }) => variable));
  // Settings of the tests, which a developer may have set.
  for (const variable of ["SINETA_CHROMIUM", "SINETA_FUZZ_CASES", "SINETA_SOAK"])
    known.add(variable);
  // What the documents call the keys of the site's own programs, which may run beside.
  for (const variable of ["SINETA_API_KEY", "SINETA_USER_KEY"]) known.add(variable);
  const unknownSettings = [...withoutValue];
  for (const variable of new Set([...Object.keys(input.environment), ...Object.keys(file)])) {
    if (known.has(variable)) continue;
    const isOurs = variable.startsWith(beginning);
    const meant = meantSetting(variable, settingNames());
    // Another program's.
    if (!isOurs && meant === null) continue;
    const question = meant === null ? "" : ` Do you mean ${meant}?`;
    unknownSettings.push(`${variable} is set but not used: there is no such setting.${question}`);
  }
  return { config, settings: report, warnings: [...warnings, ...unknownSettings], unknownSettings };
}

/** Without their beginning, which would make any two of them alike. */
function settingNames(): string[] {
  return Object.values(settings).map(({ variable }) => variable.slice(beginning.length));
}

function readSecretText(text: string): string | undefined {
  return isLongEnough(text) ? text : undefined;
}

function defaultVapidSubject(publicUrl: URL | null): string {
  const own = publicUrl === null ? undefined : read.readVapidSubject(publicUrl.origin);
  return own ?? "mailto:sineta@example.com";
}

function readTls(certPath: string | null, keyPath: string | null, folder: string): Config["tls"] {
  if (certPath === null && keyPath === null) return null;
  if (certPath === null) {
    throw invalid("SINETA_TLS_CERT", "", "a PEM file, because SINETA_TLS_KEY is set");
  }
  if (keyPath === null) {
    throw invalid("SINETA_TLS_KEY", "", "a PEM file, because SINETA_TLS_CERT is set");
  }
  const cert = readPem("SINETA_TLS_CERT", certPath, folder);
  const key = readPem("SINETA_TLS_KEY", keyPath, folder);
  try {
    createSecureContext({ cert, key });
  } catch {
    throw invalid("SINETA_TLS_KEY", keyPath, "the key of the certificate in SINETA_TLS_CERT");
  }
  return { cert, key };
}

function readPem(variable: string, path: string, folder: string): string {
  const file = { path: resolve(folder, path), name: `The file of ${variable}` };
  // Comments stand beside its blocks, such as the names of a store that OpenSSL has read.
  const text = readTextFile({ ...file, code: "setting-invalid", anyBytes: true });
  if (!text.includes("-----BEGIN ")) throw invalid(variable, path, "a PEM file");
  return text;
}

/** @returns the settings, and a sentence for each line that looks like one and sets nothing */
function readEnvFile(path: string): {
  entries: Record<string, string | undefined>;
  withoutValue: string[];
} {
  const file = { path, name: "The file of settings", code: "setting-invalid" } as const;
  const text = readTextFileIfThere({ ...file, anyBytes: true });
  if (text === null) return { entries: {}, withoutValue: [] };
  const entries = parseEnv(text);
  // In a comment it does not matter.
  const isBroken = Object.entries(entries).some(([variable, value]) => {
    return variable.startsWith(beginning) && value?.includes("\uFFFD") === true;
  });
  // No text has a NUL, but UTF-16 does, in which no setting would be found.
  if (isBroken || text.includes("\0")) readTextFileIfThere(file);
  const withoutValue = text.split(/\r\n|\r|\n/).flatMap((line, index) => {
    const variable = /^\s*(?:export\s+)?(SINETA_\w+)(?!\w)[^=]*$/.exec(line)?.[1];
    if (variable === undefined) return [];
    return [`Line ${index + 1} of ${path} sets nothing: write ${variable}=value.`];
  });
  return { entries: { ...entries }, withoutValue };
}

function flagOf(variable: string): string {
  return variable.replace(beginning, "").toLowerCase().replaceAll("_", "-");
}

function invalid(variable: string, value: string, expected: string): CommandError {
  return new CommandError(
    "setting-invalid",
    `${variable} is ${JSON.stringify(value)}: expected ${expected}.`,
  );
}
