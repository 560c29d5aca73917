import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Message } from "../store/port.ts";
import { siteClient } from "../test/http-client.ts";
import { testPlaces } from "../test/places.ts";
import { readyLine, startSineta, type TestProcess } from "../test/process.ts";
import { summary } from "./send.ts";

let bench: ReturnType<typeof testPlaces>;
let server: TestProcess;
let site: string;

function sineta(words: string[]): TestProcess {
  return startSineta(words, {
    places: bench.places,
    folder: bench.folder,
    // Nobody listens on port 1: what is sent is to be tried again.
    environment: { SINETA_PORT: "0", SINETA_PUSH_ROUTES: "fcm.googleapis.com=127.0.0.1:1" },
  });
}

const message = ["--title", "Olá", "--body", "x"];

describe("sineta send beside a running server", { timeout: 60_000 }, () => {
  beforeEach(async () => {
    bench = testPlaces();
    server = sineta(["serve"]);
    site = (await server.line(readyLine))[1] ?? "";
  });
  afterEach(async () => {
    server.kill("SIGKILL");
    await server.ended;
    rmSync(bench.folder, { recursive: true });
  });

  test("waits until it is done and prints the figures", async () => {
    const { status, stdout, stderr } = await sineta(["send", ...message]).ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      /^[0-9a-f-]{36}: 0 accepted, 0 gone, 0 retry, 0 rejected, 0 failed\nNo browser is registered yet\.\n$/,
    );
  });

  test("--no-wait leaves it to the server", async () => {
    const client = await siteClient(site);
    const { token } = await client.register();
    const words = ["send", ...message, "--to", token, "--no-wait"];
    const { status, stdout } = await sineta(words).ended;
    expect(status).toBe(0);
    expect(stdout).toMatch(/^[0-9a-f-]{36} is with the server\.\n$/);
  });

  test("what was published while no server ran is sent by the next one", async () => {
    server.kill("SIGTERM");
    await server.ended;
    const { stdout } = await sineta(["send", ...message]).ended;
    expect(stdout).toContain("waits");
    server = sineta(["serve"]);
    await server.line(readyLine);
    // The second message is done after the first.
    const { stdout: second } = await sineta(["send", ...message]).ended;
    expect(second).toContain("0 accepted");
  });
});

describe("the figures", () => {
  const nobody: Message = {
    id: "0199",
    projectId: 1,
    target: { kind: "all" },
    notification: { title: "Olá" },
    ttlSeconds: 60,
    urgency: "normal",
    scheduledAtMs: 0,
    state: "done",
    watermark: 0,
    cursor: 0,
    counts: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
    receipts: { displayed: 0, clicked: 0, closed: 0 },
  };
  const line = "0199: 0 accepted, 0 gone, 0 retry, 0 rejected, 0 failed";

  test("are followed by a sentence where nobody was there to send to", () => {
    expect(summary(nobody)).toBe(`${line}\nNo browser is registered yet.`);
  });

  test("stand alone where that is not known, or not so", () => {
    expect(summary({ ...nobody, state: "sending" })).toBe(`${line} (still being sent)`);
    expect(summary({ ...nobody, target: { kind: "token", token: "x" } })).toBe(line);
    for (const kind of ["accepted", "gone", "retry", "rejected", "failed"]) {
      const counts = { ...nobody.counts, [kind]: 1 };
      expect(summary({ ...nobody, counts })).toBe(line.replace(`0 ${kind}`, `1 ${kind}`));
    }
  });
});
