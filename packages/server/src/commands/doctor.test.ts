/** The command beside a running server, and push services on loopback. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { doctorSchema, type DoctorBody } from "@sineta/protocol";
import { openDataFolder } from "../data-folder.ts";
import { openDefaultProject } from "../projects/open.ts";
import { takeServeLock } from "../serve-lock.ts";
import { testPlaces } from "../test/places.ts";
import { readyLine, startSineta, type TestProcess } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";
import { makeCertificates } from "../webpush/testing/certificates.ts";
import { listen, startPushService } from "../webpush/testing/push-service.ts";

const hosts = ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"];

let server: TestProcess;
let served: ReturnType<typeof testPlaces>;
let environment: Record<string, string>;
const undo: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  served = testPlaces();
  undo.push(async () => rmSync(served.folder, { recursive: true }));
  const certificates = await makeCertificates(hosts);
  const pushService = await startPushService({
    certificates,
    onPush: ({ stream }) => stream.respond({ ":status": 404 }, { endStream: true }),
  });
  undo.push(pushService.close);
  const known = getCACertificates("default");
  setDefaultCACertificates([...known, certificates.ca]);
  undo.push(async () => setDefaultCACertificates(known));
  const ca = join(served.folder, "ca.pem");
  writeFileSync(ca, certificates.ca);
  environment = {
    NODE_EXTRA_CA_CERTS: ca,
    SINETA_PORT: "0",
    SINETA_DISK_LOW_MIB: "1",
    SINETA_PUSH_ROUTES: hosts.map((host) => `${host}=127.0.0.1:${pushService.port}`).join(),
  };
  server = startSineta(["serve"], { ...served, environment });
  undo.push(async () => {
    server.kill("SIGKILL");
    await server.ended;
  });
  const [, url = ""] = await server.line(readyLine);
  environment["SINETA_PORT"] = new URL(url).port;
});
afterAll(async () => {
  for (const end of undo.toReversed()) await end();
});

type Bench = Pick<typeof served, "folder" | "places">;

const sineta = (words: string[], more: Record<string, string> = {}, bench: Bench = served) =>
  runCommand(words, { ...bench, environment: { ...environment, ...more } });

/** Codes of what is not well. */
async function faults(more: Record<string, string> = {}, bench?: Bench) {
  const { status, out } = await sineta(["doctor", "--json"], more, bench);
  const { findings } = doctorSchema.parse(JSON.parse(out));
  return { status, faults: findings.filter(({ state }) => state !== "ok").map(({ code }) => code) };
}

describe("sineta doctor beside a server", () => {
  test("ends with 0 where all is well, with a line for each finding", async () => {
    const { status, out, err } = await sineta(["doctor"]);
    const lines = out.split("\n").map((line) => line.split(/ {2,}/, 2).join(" "));
    expect(lines).toEqual([
      "ok settings",
      "ok server",
      "ok database",
      "ok secret",
      "ok files",
      "ok disk",
      "ok clock",
      "ok public-url",
      "ok origin",
      "ok push-service",
      "ok push-service",
      "ok push-service",
      "",
    ]);
    expect(out).toContain("web.push.apple.com answers.\n");
    expect({ status, err }).toEqual({ status: 0, err: "" });
  });

  test("ends with 1 where there is something to do, and says what in a line of its own", async () => {
    expect(await sineta(["hold"])).toMatchObject({ status: 0 });
    const { status, out } = await sineta(["doctor"]);
    expect(await sineta(["resume", "--yes"])).toMatchObject({ status: 0 });
    expect(status).toBe(1);
    expect(out).toMatch(
      /\nTO DO {2}server {8}Delivery has been held since \S+ \(asked\)\.\n {21}`sineta resume` lists what waits/,
    );
  });

  test("ends with 2 where it could not look, and nothing else is to do", async () => {
    expect(await faults({ SINETA_PORT: "0" })).toEqual({
      status: 2,
      faults: ["server-port-unknown"],
    });
  });

  test("says the same as the server says of itself, which reads less of the database", async () => {
    const { out: key } = await sineta(["api-keys", "create", "--scopes", "manage"]);
    const path = `http://127.0.0.1:${environment["SINETA_PORT"]}/v1/projects/default/doctor`;
    const answer = await fetch(path, {
      method: "POST",
      headers: { Authorization: `Bearer ${key.trim()}` },
    });
    const own = doctorSchema.parse(await answer.json());
    const { out } = await sineta(["doctor", "--json"]);
    const outside = doctorSchema.parse(JSON.parse(out));
    const codesOf = ({ findings }: DoctorBody) => findings.map(({ code }) => code);
    const expected = codesOf(outside).map((code) =>
      code === "database-sound" ? "database-opens" : code,
    );
    expect(codesOf(own)).toEqual(expected);
  });

  test("tells that nothing answers at the server's port", async () => {
    const { port, close } = await listen(createServer());
    await close();
    expect(await faults({ SINETA_PORT: String(port) })).toEqual({
      status: 1,
      faults: ["server-silent"],
    });
  });

  test("tells a setting that is in doubt", async () => {
    const { status, out } = await sineta(["doctor"], { SINETA_TRUSTED_PROXYS: "loopback" });
    expect(status).toBe(1);
    expect(out).toMatch(/^TO DO {2}settings .*Do you mean SINETA_TRUSTED_PROXIES\?\n/);
  });

  test("tells another secret, and looks at all that needs none", async () => {
    const secret = { SINETA_SECRET: "x".repeat(44) };
    expect(await faults(secret)).toEqual({ status: 1, faults: ["secret-unusable"] });
    const { out } = await sineta(["doctor"], secret);
    expect(out).toMatch(/^ok +server +A server at http:\/\/127\.0\.0\.1:\d+ is ready\.$/m);
    expect(out).toMatch(/^ok +database +The database is whole/m);
  });
});

describe("sineta doctor without a server", () => {
  let bench: ReturnType<typeof testPlaces>;
  beforeEach(async () => {
    bench = testPlaces();
    const store = await openDataFolder(bench.dataFolder, Date.now());
    await openDefaultProject({ ...bench, store, randomBytes, nowMs: Date.now() });
    await store.close();
  });
  afterEach(() => rmSync(bench.folder, { recursive: true }));

  test("tells that no server runs", async () => {
    expect(await faults({}, bench)).toEqual({ status: 1, faults: ["server-stopped"] });
  });

  test("tells a folder without data, and makes none", async () => {
    const folder = join(bench.folder, "none");
    expect(await faults({ SINETA_DATA: folder }, bench)).toEqual({
      status: 1,
      faults: ["server-stopped", "database-unusable"],
    });
    expect(existsSync(folder)).toBe(false);
  });

  test("tells a folder that it cannot look into", async () => {
    const file = join(bench.folder, "file");
    writeFileSync(file, "");
    const { faults: found } = await faults({ SINETA_DATA: file }, bench);
    expect(found).toEqual(["database-out-of-reach"]);
  });

  test("tells a server of an earlier version, and changes nothing of its database", async () => {
    const path = join(bench.dataFolder, "sineta.db");
    const database = new DatabaseSync(path);
    database.exec(
      "delete from schema_migrations where name = (select max(name) from schema_migrations)",
    );
    database.close();
    const before = readFileSync(path);
    const codes = async () => {
      const { out } = await sineta(["doctor", "--json"], {}, bench);
      return doctorSchema.parse(JSON.parse(out)).findings.map(({ code }) => code);
    };
    expect((await codes()).slice(1, 3)).toEqual(["server-stopped", "database-old"]);
    const stop = takeServeLock(bench.dataFolder);
    expect((await codes()).slice(1, 3)).toEqual(["server-older", "database-old"]);
    stop();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("tells a page of the database that was written over", async () => {
    const path = join(bench.dataFolder, "sineta.db");
    const database = new DatabaseSync(path);
    const page = database.prepare("select rootpage from sqlite_schema where name = 'audit'").get();
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    const bytes = readFileSync(path);
    const start = (Number(page?.["rootpage"]) - 1) * 4096;
    writeFileSync(path, bytes.fill(0x41, start, start + 4096));
    expect((await faults({}, bench)).faults).toEqual(["server-stopped", "database-damaged"]);
  });
});
