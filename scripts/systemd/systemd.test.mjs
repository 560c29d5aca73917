import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startSink } from "../../packages/push-lab/src/index.ts";
import { testBrowser } from "../../packages/server/src/test/browser.ts";
import { siteClient } from "../../packages/server/src/test/http-client.ts";
import { run } from "../tarballs.mjs";
import { stage } from "./stage.mjs";

const pushService = "https://fcm.googleapis.com";
const site = "https://site.example";
/** Which of an administrator's commands write into the database, and one that reads. */
const commands = [
  ["operators", "create", "baker@site.example"],
  ["api-keys", "create", "shop"],
  ["send", "--title", "Olá", "--body", "O pão saiu do forno."],
  ["status"],
];
/** What `openssl rand -base64 32` prints. */
const newSecret = () => `${randomBytes(32).toString("base64")}\n`;

/** Only root can become the unit's user, and mount. */
const isRoot = process.platform === "linux" && process.getuid() === 0;

let machine;
let processes = [];
function start(environment) {
  const child = machine.start({ SINETA_PORT: "0", ...environment });
  processes.push(child);
  return child;
}

/** Starts the server, and stops it once it listens. */
async function serveOnce() {
  const server = start();
  await server.listening;
  server.kill("SIGTERM");
  await server.ended;
}

/** Lines of the log above the level `info`, and all that is no line of the log. */
const problemsIn = (log) =>
  log.split("\n").filter((line) => line !== "" && !line.startsWith('{"level":30,'));

const sineta = (...words) => machine.asRoot([machine.command, ...words]);

/** The files of the state folder, with what their owner and others may do. */
function stateFiles() {
  const names = readdirSync(machine.stateFolder).toSorted();
  return names.map((name) => {
    const { uid, gid, mode } = statSync(join(machine.stateFolder, name));
    return { name, uid, gid, mode: mode & 0o777 };
  });
}
function ofUser(...names) {
  const { uid, gid } = machine.user;
  return names.map((name) => ({ name, uid, gid, mode: 0o600 }));
}
const database = ["sineta.db", "sineta.db-shm", "sineta.db-wal"];
const lock = ["serve.lock", "serve.lock-journal"];

describe.runIf(isRoot)("the systemd unit", { timeout: 180_000 }, () => {
  beforeAll(() => {
    machine = stage();
  }, 180_000);
  beforeEach(() => {
    machine.clear();
    machine.writeSecret(newSecret());
  });
  afterEach(async () => {
    for (const { kill } of processes) kill("SIGKILL");
    await Promise.all(processes.map(({ ended }) => ended));
    processes = [];
  });
  afterAll(() => machine.remove());

  test.for(["sineta", "sineta-backup"])(
    "%s leaves little open, as systemd-analyze counts it from 0 to 10",
    (name) => {
      const args = [
        "security",
        "--offline=true",
        "--no-pager",
        machine.unitFile(`${name}.service`),
      ];
      const found = /Overall exposure level for \S+\.service: (\S+)/.exec(
        run("systemd-analyze", args, "/"),
      );
      expect(Number(found?.[1])).toBeLessThanOrEqual(2);
    },
  );

  test.for(["sineta.service", "sineta-backup.service", "sineta-backup.timer"])(
    "%s has nothing that systemd-analyze complains of, where Sineta is installed",
    async (name) => {
      const verify = `mount -t tmpfs tmpfs /run
        mount -t tmpfs tmpfs /usr/local/bin
        cp "$1" /usr/local/bin/sineta
        exec systemd-analyze verify "$0"`;
      const file = `/etc/systemd/system/${name}`;
      const found = await machine.asRoot(["sh", "-euc", verify, file, machine.command]);
      expect(found).toEqual({ status: 0, stdout: "", stderr: "" });
    },
  );

  test("runs a server that delivers, lets root's commands work beside it, and stops softly", async () => {
    const sink = await startSink({ origins: [pushService] });
    try {
      writeFileSync(machine.at("etc/sineta/ca.pem"), readFileSync(sink.caPath));
      const server = start({
        SINETA_ORIGINS: site,
        SINETA_PUSH_ROUTES: sink.serverEnvironment.SINETA_PUSH_ROUTES,
        NODE_EXTRA_CA_CERTS: "/etc/sineta/ca.pem",
      });
      const url = await server.listening;
      const ready = await fetch(`${url}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }]);
      const client = await siteClient(url, site);
      await client.register(testBrowser({ subscription: sink.subscription(pushService, "baker") }));

      const done = await Promise.all(commands.map((words) => sineta(...words)));
      expect(done.map(({ status, stderr }) => [status, stderr])).toEqual(
        commands.map(() => [0, expect.not.stringContaining("sineta: ")]),
      );
      expect(sink.counts()).toMatchObject({ requests: 1, accepted: 1 });
      // No `secret`: the keys are sealed with the credential.
      expect(stateFiles()).toEqual(ofUser(...lock, ...database));

      server.kill("SIGTERM");
      const { status, signal, log } = await server.ended;
      expect({ status, signal }).toEqual({ status: 0, signal: null });
      // Systemd keeps what stands there.
      expect(log).not.toContain("/painel/");
      expect(problemsIn(log)).toEqual([]);
    } finally {
      await sink.close();
    }
  });

  test("root's commands work while the server is stopped", async () => {
    await serveOnce();
    const done = await Promise.all(commands.map((words) => sineta(...words)));
    expect(done.map(({ stderr }) => stderr)).toEqual(
      commands.map(() => expect.not.stringContaining("sineta: ")),
    );
    expect(stateFiles()).toEqual(ofUser("serve.lock", "sineta.db"));
  });

  test("the server refuses to start with another secret", async () => {
    await serveOnce();
    machine.writeSecret(newSecret());
    const { status, log } = await start().ended;
    expect({ status, log }).toEqual({
      status: 1,
      log: expect.stringMatching(/^sineta: .*SINETA_SECRET_FILE.*\n$/),
    });
  });

  test("root changes the secret as docs/install.md says, and the server starts with the new one", async () => {
    await serveOnce();
    renameSync(machine.at("etc/sineta/secret"), machine.at("etc/sineta/secret.old"));
    machine.writeSecret(newSecret());
    const rotated = await machine.asRoot([machine.command, "secrets", "rotate"], {
      SINETA_OLD_SECRET_FILE: "/etc/sineta/secret.old",
    });
    expect(rotated).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d secrets are sealed anew with SINETA_SECRET_FILE\.\n$/),
      stderr: "",
    });
    await serveOnce();
    expect(stateFiles()).toEqual(ofUser("serve.lock", "sineta.db"));
  });
});
