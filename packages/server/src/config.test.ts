import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig, settingOptions } from "./config.ts";
import { testCertificate, testCertificateKey } from "./test/certificate.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-config-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const from = (environment: Record<string, string>, flags: Record<string, string> = {}) =>
  readConfig({ environment, flags, folder });

describe("readConfig", () => {
  test("without anything: development on loopback", () => {
    const { config, warnings, settings } = from({});
    expect(config).toEqual({
      host: "127.0.0.1",
      port: 8080,
      dataFolder: join(folder, "data"),
      publicUrl: null,
      origins: null,
      tls: null,
      vapidSubject: "mailto:sineta@example.com",
      pushHosts: [],
      pushRoutes: [],
      trustedProxies: [],
      secret: null,
      oldSecret: null,
      backupPassphrase: null,
      limits: { registrationsPerMinute: 60, receiptsPerMinute: 600 },
      keepDays: { ended: 30, receipts: 90, audit: 365 },
      diskLowBytes: 1024 * 1024 * 1024,
      logLevel: "info",
      httpsOnly: false,
      development: true,
    });
    expect(warnings).toEqual([]);
    expect(settings.every(({ source }) => source === "default")).toBe(true);
  });

  test.for([
    ["https://sino.example", true],
    ["http://sino.example", false],
    ["https://localhost", false],
    ["https://127.0.0.1:8443", false],
    ["https://[::1]", false],
    ["https://a.localhost", false],
  ] as const)("at %s browsers are told to keep to https: %s", ([SINETA_PUBLIC_URL, httpsOnly]) => {
    expect(from({ SINETA_PUBLIC_URL }).config.httpsOnly).toBe(httpsOnly);
  });

  test("secrets are shown by nobody, not even where they are wrong", () => {
    const secret = "not for anybody's eyes, not even once";
    const { config, settings } = from({ SINETA_SECRET: secret, SINETA_OLD_SECRET: `${secret}2` });
    expect(config).toMatchObject({
      secret: { variable: "SINETA_SECRET", text: secret },
      oldSecret: { variable: "SINETA_OLD_SECRET", text: `${secret}2` },
    });
    expect(JSON.stringify(settings)).not.toContain("eyes");
    expect(Object.keys(settingOptions)).toContain("trusted-proxies");
    const ofSecrets = Object.keys(settingOptions).filter((flag) => flag.includes("secret"));
    expect(ofSecrets).toEqual(["secret-file", "old-secret-file"]);
    expect(() => from({ SINETA_SECRET: "too short, eyes" })).toThrow(
      /^SINETA_SECRET is "\*\*\*\*": expected at least 32 random characters/,
    );
  });

  test("a secret's file is named by its absolute path, and not read yet", () => {
    const files = { SINETA_SECRET_FILE: "secret.txt", SINETA_OLD_SECRET_FILE: "/run/old" };
    const { config, settings } = from(files);
    expect(config).toMatchObject({
      secret: { variable: "SINETA_SECRET_FILE", path: join(folder, "secret.txt") },
      oldSecret: { variable: "SINETA_OLD_SECRET_FILE", path: "/run/old" },
    });
    const shown = Object.fromEntries(settings.map(({ variable, value }) => [variable, value]));
    expect(shown).toMatchObject({ SINETA_SECRET: "(none)", SINETA_SECRET_FILE: "secret.txt" });
  });

  test.for(["SINETA_SECRET", "SINETA_OLD_SECRET"])("refuses %s beside its file", (variable) => {
    const both = { [variable]: "s".repeat(32), [`${variable}_FILE`]: "/run/secret" };
    expect(() => from(both)).toThrow(
      `${variable} and ${variable}_FILE are both set: set one of them.`,
    );
  });

  test.for([
    [
      "SINETA_TRUSTED_PROXIES",
      "10.0.0.0/8, loopback,::1",
      { trustedProxies: ["10.0.0.0/8", "loopback", "::1"] },
    ],
    ["SINETA_KEEP_AUDIT_DAYS", "30", { keepDays: { ended: 30, receipts: 90, audit: 30 } }],
    ["SINETA_DISK_LOW_MIB", "5", { diskLowBytes: 5 * 1024 * 1024 }],
    [
      "SINETA_REGISTRATIONS_PER_MINUTE",
      "7",
      { limits: { registrationsPerMinute: 7, receiptsPerMinute: 600 } },
    ],
  ] as const)("%s may be %s", ([variable, value, expected]) => {
    expect(from({ [variable]: value }).config).toMatchObject(expected);
  });

  test.for([
    ["SINETA_TRUSTED_PROXIES", "0.0.0.0/0"],
    ["SINETA_TRUSTED_PROXIES", "::/0"],
    ["SINETA_TRUSTED_PROXIES", "proxy.example"],
    ["SINETA_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["SINETA_KEEP_AUDIT_DAYS", "29"],
    ["SINETA_KEEP_ENDED_DAYS", "0"],
    ["SINETA_KEEP_RECEIPTS_DAYS", "1.5"],
    ["SINETA_REGISTRATIONS_PER_MINUTE", "-1"],
  ])("%s may not be %s", ([variable = "", value = ""]) => {
    expect(() => from({ [variable]: value })).toThrow(new RegExp(`^${variable} is `));
  });

  test("flags override the environment, which overrides .env; empty counts as none", () => {
    writeFileSync(
      join(folder, ".env"),
      "SINETA_PORT=1\nSINETA_HOST='::1'\nSINETA_LOG_LEVEL=warn\n",
    );
    const { config, settings } = from(
      { SINETA_PORT: "2", SINETA_HOST: "127.0.0.2", SINETA_LOG_LEVEL: "" },
      { port: "3" },
    );
    expect(config).toMatchObject({ port: 3, host: "127.0.0.2", logLevel: "warn" });
    expect(settings).toContainEqual({ variable: "SINETA_PORT", value: "3", source: "flag" });
    expect(settings).toContainEqual({
      variable: "SINETA_HOST",
      value: "127.0.0.2",
      source: "environment",
    });
    expect(settings).toContainEqual({
      variable: "SINETA_LOG_LEVEL",
      value: "warn",
      source: ".env",
    });
  });

  test("an https public URL is the VAPID subject too, unless it is on localhost", () => {
    const { config, warnings } = from({ SINETA_PUBLIC_URL: "https://sino.example" });
    expect(config).toMatchObject({ vapidSubject: "https://sino.example", development: false });
    expect(config.publicUrl?.href).toBe("https://sino.example/");
    expect(warnings).toHaveLength(1);
    const local = from({ SINETA_PUBLIC_URL: "https://localhost:8443" });
    expect(local.config.vapidSubject).toBe("mailto:sineta@example.com");
  });

  test("says under https that Sineta does not serve itself that a proxy must be named, if there is one", () => {
    const url = { SINETA_PUBLIC_URL: "https://sino.example" };
    expect(from(url).warnings).toEqual([
      expect.stringContaining("If a proxy does so, set SINETA_TRUSTED_PROXIES"),
    ]);
    expect(from({ ...url, SINETA_TRUSTED_PROXIES: "loopback" }).warnings).toEqual([]);
    writeFileSync(join(folder, "cert.pem"), testCertificate);
    writeFileSync(join(folder, "key.pem"), testCertificateKey);
    const tls = { SINETA_TLS_CERT: "cert.pem", SINETA_TLS_KEY: "key.pem" };
    expect(from({ ...url, ...tls }).warnings).toEqual([]);
    expect(from({ SINETA_PUBLIC_URL: "http://sino.example" }).warnings.join()).not.toContain(
      "SINETA_TRUSTED_PROXIES",
    );
  });

  test("push hosts and routes", () => {
    const { config } = from({
      SINETA_PUSH_HOSTS: "Push.example, other.example:8443",
      SINETA_PUSH_ROUTES: "fcm.googleapis.com=127.0.0.1:9000,a.example:444=[::1]:9001",
    });
    expect(config.pushHosts).toEqual([
      { host: "push.example", port: 443 },
      { host: "other.example", port: 8443 },
    ]);
    expect(config.pushRoutes).toEqual([
      { host: "fcm.googleapis.com", port: 443, address: "127.0.0.1", addressPort: 9000 },
      { host: "a.example", port: 444, address: "::1", addressPort: 9001 },
    ]);
  });

  test.for([
    ["0.0.0.0", {}, "http://0.0.0.0"],
    ["127.0.0.1", { SINETA_PUBLIC_URL: "http://sino.example" }, "http://sino.example"],
    // The client's allowLoopback does not admit these.
    ["127.0.0.1", { SINETA_PUBLIC_URL: "http://127.0.0.2" }, "http://127.0.0.2"],
    ["127.0.0.2", {}, "http://127.0.0.2"],
    ["127.0.0.1", { SINETA_PUBLIC_URL: "http://localhost.example" }, "http://localhost.example"],
  ] as const)(
    "bound to %s over plain http: says that the bell will not show",
    ([host, more, where]) => {
      const { config, warnings } = from({ SINETA_HOST: host, ...more });
      expect(config.development).toBe(false);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(`The bell will not show at ${where}`);
      expect(warnings[0]).toContain("SINETA_PUBLIC_URL");
    },
  );

  test.for([
    "http://localhost:5173",
    "http://127.0.0.1:5173",
    "http://[::1]:5173",
    "http://bell.localhost",
  ])("the public URL %s, where Sineta does not listen: says what to set in its place", (where) => {
    const { config, warnings } = from({ SINETA_PUBLIC_URL: where });
    expect(config.development).toBe(false);
    expect(warnings).toEqual([
      `SINETA_PUBLIC_URL is ${where}, but Sineta listens on port 8080: if that is your page's address, set SINETA_ORIGINS to it and leave SINETA_PUBLIC_URL out.`,
    ]);
    // Of a proxy in front, or of a port that is not known yet, nothing can be said.
    for (const more of [{ SINETA_ORIGINS: "https://a.example" }, { SINETA_PORT: "0" }]) {
      expect(from({ SINETA_PUBLIC_URL: where, ...more }).warnings.join()).not.toContain("leave");
    }
  });

  test("origins: each once, as browsers write it; development goes on beside them", () => {
    const { config, settings, warnings } = from({
      SINETA_ORIGINS: "https://A.example/, https://b.example:8443,https://a.example",
      SINETA_PUBLIC_URL: "https://avisos.example",
      SINETA_TRUSTED_PROXIES: "loopback",
    });
    expect(config.origins).toEqual(["https://a.example", "https://b.example:8443"]);
    expect(settings).toContainEqual(
      expect.objectContaining({ variable: "SINETA_ORIGINS", source: "environment" }),
    );
    expect(warnings).toEqual([]);
    const local = from({}, { origins: "http://localhost:5173" });
    expect(local.config).toMatchObject({ development: true, origins: ["http://localhost:5173"] });
    expect(local.warnings).toEqual([
      expect.stringMatching(
        /^For the bell to show at http:\/\/localhost:5173, .* allowLoopback: true to createMessaging\.$/,
      ),
    ]);
  });

  test("an origin that is neither https nor loopback will show no bell; one that cannot reach Sineta neither", () => {
    const origins = "http://site.example,https://b.example,http://other.example";
    const url = { SINETA_PUBLIC_URL: "https://avisos.example", SINETA_TRUSTED_PROXIES: "loopback" };
    expect(from({ ...url, SINETA_ORIGINS: origins }).warnings).toEqual([
      expect.stringContaining("not show at http://site.example, http://other.example, because"),
    ]);
    expect(from({ SINETA_ORIGINS: "https://b.example" }).warnings).toEqual([
      expect.stringContaining("set SINETA_PUBLIC_URL to the address under which they reach Sineta"),
    ]);
  });

  test.for([
    "http://localhost:8080",
    "http://127.0.0.1:8080",
    "http://[::1]:8080",
    "http://bell.localhost:8080",
  ])("the public URL %s: says what the page there must pass", (where) => {
    const { config, warnings } = from({ SINETA_PUBLIC_URL: where });
    expect(config.development).toBe(false);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(
      `For the bell to show at ${where}, which is not https, the page there must pass allowLoopback: true to createMessaging`,
    );
    expect(warnings[0]).not.toContain("will not show");
  });

  test.for([
    ["SINETA_HOST", "no host!"],
    ["SINETA_HOST", "256.256.256.256"],
    ["SINETA_HOST", "1.2.3.4.5"],
    ["SINETA_HOST", "foo.123"],
    ["SINETA_HOST", "::1%lo"],
    ["SINETA_PORT", "65536"],
    ["SINETA_PORT", "80a"],
    ["SINETA_PUBLIC_URL", "example.com"],
    ["SINETA_PUBLIC_URL", "https:/example.com"],
    ["SINETA_PUBLIC_URL", "https:///example.com"],
    ["SINETA_PUBLIC_URL", "https://\\example.com"],
    ["SINETA_PUBLIC_URL", "https://example.com/path"],
    ["SINETA_PUBLIC_URL", "https://user@example.com"],
    ["SINETA_PUBLIC_URL", "ftp://example.com"],
    ["SINETA_ORIGINS", "*"],
    ["SINETA_ORIGINS", "https://*.example.com"],
    ["SINETA_ORIGINS", "https://example.com,"],
    ["SINETA_ORIGINS", "https://example.com/path"],
    ["SINETA_ORIGINS", "https://user@example.com"],
    ["SINETA_ORIGINS", Array.from({ length: 101 }, (_one, at) => `https://${at}.example`).join()],
    ["SINETA_VAPID_SUBJECT", "someone@example.com"],
    ["SINETA_VAPID_SUBJECT", "mailto:someone"],
    ["SINETA_VAPID_SUBJECT", "mailto:me@localhost"],
    ["SINETA_VAPID_SUBJECT", "mailto:me@LOCALHOST"],
    ["SINETA_VAPID_SUBJECT", "mailto:me@localhost."],
    ["SINETA_VAPID_SUBJECT", "mailto:me@[127.0.0.1]"],
    ["SINETA_VAPID_SUBJECT", "https://localhost"],
    ["SINETA_VAPID_SUBJECT", "https:/example.com"],
    ["SINETA_VAPID_SUBJECT", "https:e.com"],
    ["SINETA_VAPID_SUBJECT", "https://user@example.com"],
    ["SINETA_VAPID_SUBJECT", "https://localhost."],
    ["SINETA_VAPID_SUBJECT", "https://Printer.Local./x"],
    ["SINETA_PUSH_HOSTS", "https://push.example"],
    ["SINETA_PUSH_HOSTS", "push.example,"],
    ["SINETA_PUSH_HOSTS", "127.0.0.1"],
    ["SINETA_PUSH_HOSTS", "127.1:8443"],
    ["SINETA_PUSH_HOSTS", "foo.123"],
    ["SINETA_PUSH_ROUTES", "push.example"],
    ["SINETA_PUSH_ROUTES", "push.example=127.0.0.1"],
    ["SINETA_PUSH_ROUTES", "push.example=127.0.0.1:0"],
    ["SINETA_LOG_LEVEL", "loud"],
  ] as const)("%s=%s stops with a sentence that names both", ([variable, value]) => {
    expect(() => from({ [variable]: value })).toThrow(
      expect.objectContaining({
        code: "setting-invalid",
        message: expect.stringContaining(`${variable} is ${JSON.stringify(value)}: expected `),
      }),
    );
  });

  test("a certificate without its key, and files that are no PEM", () => {
    writeFileSync(join(folder, "cert.pem"), "nothing");
    expect(() => from({ SINETA_TLS_CERT: "cert.pem" })).toThrow(
      /^SINETA_TLS_KEY .*SINETA_TLS_CERT/,
    );
    expect(() => from({ SINETA_TLS_KEY: "cert.pem" })).toThrow(/^SINETA_TLS_CERT .*SINETA_TLS_KEY/);
    expect(() => from({ SINETA_TLS_CERT: "cert.pem", SINETA_TLS_KEY: "cert.pem" })).toThrow(
      'SINETA_TLS_CERT is "cert.pem": expected a PEM file.',
    );
  });

  test.for([
    [" mailto:x@y.z ", "mailto:x@y.z"],
    ["mailto:x@y.z\n", "mailto:x@y.z"],
    ["MAILTO:Some.One@y.z", "mailto:Some.One@y.z"],
    ["https://E.com/contact", "https://e.com/contact"],
  ] as const)("the VAPID subject %j is kept as %s", ([text, subject]) => {
    expect(from({ SINETA_VAPID_SUBJECT: text }).config.vapidSubject).toBe(subject);
  });

  test("a .env in UTF-8 may begin with a byte order mark; one in UTF-16 is refused", () => {
    const path = join(folder, ".env");
    writeFileSync(path, "\uFEFFSINETA_PORT=1\nSINETA_LOG_LEVEL=warn\n");
    expect(from({}).config).toMatchObject({ port: 1, logLevel: "warn" });
    for (const mark of ["", "\uFEFF"]) {
      writeFileSync(path, `${mark}SINETA_PORT=1\n`, "utf16le");
      expect(() => from({})).toThrow(
        expect.objectContaining({
          code: "setting-invalid",
          message: `The file of settings, ${path}, is not in UTF-8 but in UTF-16: save it as UTF-8.`,
        }),
      );
    }
  });

  test.for<[name: string, bytes: Uint8Array]>([
    ["a NUL in a setting", Buffer.from("SINETA_DATA=a\0b\n")],
    ["a NUL in a comment", Buffer.from("# \0\nSINETA_PORT=1\n")],
    [
      "UTF-16 with few ASCII characters",
      Buffer.from(`# ${"設定".repeat(40)}\nSINETA_PORT=1\n`, "utf16le"),
    ],
  ])("a .env with %s is no text", ([, bytes]) => {
    const path = join(folder, ".env");
    writeFileSync(path, bytes);
    expect(() => from({})).toThrow(
      expect.objectContaining({
        code: "setting-invalid",
        message: `The file of settings, ${path}, is no text.`,
      }),
    );
  });

  test("a .env in Latin-1 is refused if a setting has such a character, not for its comments", () => {
    const path = join(folder, ".env");
    const save = (text: string) => writeFileSync(path, text, "latin1");
    save("# pão\nPADARIA=pão\nSINETA_PORT=1 # não\n");
    expect(from({}).config.port).toBe(1);
    save("PADARIA=padaria\nSINETA_DATA=pão\n");
    expect(() => from({})).toThrow(
      expect.objectContaining({
        code: "setting-invalid",
        message: `The file of settings, ${path}, is not in UTF-8: save it as UTF-8.`,
      }),
    );
    writeFileSync(path, "SINETA_DATA=a\uFFFD\n");
    expect(from({}).config.dataFolder).toBe(join(folder, "a\uFFFD"));
  });

  test("a PEM file may have comments in Latin-1; one in UTF-16, or that is not there, is told of as such", () => {
    const path = join(folder, "cert.pem");
    const key = join(folder, "key.pem");
    writeFileSync(path, `friendlyName: S\u00e3o Paulo\n${testCertificate}`, "latin1");
    writeFileSync(key, testCertificateKey);
    const files = { SINETA_TLS_CERT: path, SINETA_TLS_KEY: key };
    expect(from(files).config.tls?.cert).toContain(testCertificate);
    writeFileSync(path, testCertificate, "utf16le");
    expect(() => from(files)).toThrow(
      `The file of SINETA_TLS_CERT, ${path}, is not in UTF-8 but in UTF-16: save it as UTF-8.`,
    );
    rmSync(path);
    expect(() => from(files)).toThrow(`The file of SINETA_TLS_CERT, ${path}, is not there.`);
  });

  test.skipIf(process.platform === "win32")(
    "a .env with a secret that others may read is said",
    () => {
      const path = join(folder, ".env");
      const warningsOf = (text: string, mode: number, folderMode = 0o755) => {
        writeFileSync(path, text);
        chmodSync(path, mode);
        chmodSync(folder, folderMode);
        return from({}).warnings;
      };
      const secret = `SINETA_SECRET=${"x".repeat(40)}\nSINETA_BACKUP_PASSPHRASE=correct horse\n`;
      expect(warningsOf(secret, 0o644)).toEqual([
        `Other users of this machine may read ${path}, which has SINETA_SECRET and SINETA_BACKUP_PASSPHRASE: take that from them with chmod o= ${path}`,
      ]);
      expect(warningsOf(secret, 0o640)).toEqual([]);
      expect(warningsOf(secret, 0o644, 0o700)).toEqual([]);
      expect(warningsOf("SINETA_SECRET_FILE=/run/secret\n", 0o644)).toEqual([]);
      expect(warningsOf("SINETA_DATA=****\n", 0o644)).toEqual([]);
      writeFileSync(path, `SINETA_SECRET=${"x".repeat(40)}\n`);
      expect(from({ SINETA_SECRET: "y".repeat(40) }).warnings).toEqual([
        expect.stringMatching(/^Other users/),
      ]);
    },
  );

  test("a line of .env that looks like a setting and has no = is said", () => {
    const lines = ["# SINETA_PORT: 1", "SINETA_PORT: 19122", "X", "export SINETA_HOST 0.0.0.0"];
    writeFileSync(join(folder, ".env"), [...lines, "SINETA_LOG_LEVEL=warn"].join("\n"));
    const { config, warnings } = from({});
    expect(config).toMatchObject({ port: 8080, logLevel: "warn" });
    expect(warnings).toEqual([
      `Line 2 of ${join(folder, ".env")} sets nothing: write SINETA_PORT=value.`,
      `Line 4 of ${join(folder, ".env")} sets nothing: write SINETA_HOST=value.`,
    ]);
  });

  test("a SINETA_ name that no setting has is said, once", () => {
    writeFileSync(join(folder, ".env"), "SINETA_PUBLICURL=https://a.example\nSINETA_PROT=1\nX=1\n");
    const { warnings } = from({ SINETA_PROT: "2", SINETA_PORT: "3", SINETA_CHROMIUM: "x" });
    expect(warnings).toEqual([
      "SINETA_PROT is set but not used: there is no such setting. Do you mean SINETA_PORT?",
      "SINETA_PUBLICURL is set but not used: there is no such setting. Do you mean SINETA_PUBLIC_URL?",
    ]);
    expect(from({ SINETA_CHAMPAGNE: "1" }).warnings).toContain(
      "SINETA_CHAMPAGNE is set but not used: there is no such setting.",
    );
  });

  test.for([
    ["SINETA_URL", "SINETA_PUBLIC_URL"],
    ["SINETA_CERT", "SINETA_TLS_CERT"],
    ["SINETA_LOG", "SINETA_LOG_LEVEL"],
    ["SINETA_VAPID", "SINETA_VAPID_SUBJECT"],
    ["SINETA_PROXIES", "SINETA_TRUSTED_PROXIES"],
    ["SINETA_DATA_FOLDER", "SINETA_DATA"],
    ["SINETA_ORIGIN", "SINETA_ORIGINS"],
    ["SINETA_HOSTS", "SINETA_HOST"],
    ["SINETA_log_level", "SINETA_LOG_LEVEL"],
    ["SENITA_PORT", "SINETA_PORT"],
    ["SINETTA_PROT", "SINETA_PORT"],
    ["SYNETA_PUBLICURL", "SINETA_PUBLIC_URL"],
    ["SINETAPORT", "SINETA_PORT"],
    ["SINETATLS_CERT", "SINETA_TLS_CERT"],
    ["sineta_port", "SINETA_PORT"],
  ])("%s is taken for %s", ([variable = "", meant]) => {
    expect(from({ [variable]: "1" }).warnings).toEqual([
      `${variable} is set but not used: there is no such setting. Do you mean ${meant}?`,
    ]);
  });

  test.for(["SINETA_", "SINETA_FOLDER", "SINETA_X"])("%s is taken for none", (variable) => {
    expect(from({ [variable]: "1" }).warnings).toEqual([
      `${variable} is set but not used: there is no such setting.`,
    ]);
  });

  test.for([
    "PORT",
    "_PORT",
    "SENTRY_HOST",
    "SINATRA_PORT",
    "MINETEST_PORT",
    "SINE_PORT",
    "SINETTA_",
    "SINETTA_HOME",
  ])("%s is another program's", (variable) => {
    expect(from({ [variable]: "1" }).warnings).toEqual([]);
  });

  test("the keys of the site's own programs are no slip", () => {
    const { warnings } = from({ SINETA_API_KEY: "sineta_x", SINETA_USER_KEY: "y" });
    expect(warnings).toEqual([]);
  });

  test("what this version does not use is said, and masked", () => {
    const { settings, warnings } = from({ DATABASE_URL: "postgres://user:password@db/x" });
    expect(warnings.join()).toContain("DATABASE_URL is set but not used");
    expect(warnings.join()).toContain("SQLite only");
    expect(JSON.stringify(settings)).not.toContain("password");
    expect(settings).toContainEqual({
      variable: "DATABASE_URL",
      value: "****",
      source: "environment",
    });
  });
});
