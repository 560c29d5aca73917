import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testPlaces } from "../test/places.ts";
import { readyLine, startSineta, type TestProcess } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";
import {
  prove,
  registerMany,
  startSlowPush,
  untilAtRest,
  type SlowPush,
} from "../test/slow-push.ts";
import { makeCertificates } from "../webpush/testing/certificates.ts";
import { playedHost } from "../webpush/testing/sending.ts";

const browserCount = 300;
let bench: ReturnType<typeof testPlaces>;
let slow: SlowPush;
let server: TestProcess;

beforeEach(async () => {
  bench = testPlaces();
  const certificates = await makeCertificates([playedHost]);
  slow = await startSlowPush(certificates);
  const trusted = join(bench.folder, "ca.pem");
  writeFileSync(trusted, certificates.ca);
  const environment = {
    SINETA_PORT: "0",
    SINETA_PUSH_ROUTES: slow.routes,
    SINETA_REGISTRATIONS_PER_MINUTE: "1000000",
    NODE_EXTRA_CA_CERTS: trusted,
  };
  server = startSineta(["serve"], { ...bench, environment });
  const [, site = ""] = await server.line(readyLine);
  prove(bench.dataFolder);
  await registerMany(site, browserCount);
});
afterEach(async () => {
  server.kill("SIGKILL");
  await server.ended;
  await slow.close();
  rmSync(bench.folder, { recursive: true });
});

/** A message in the middle of its only page. */
async function sending(): Promise<string> {
  const { out } = await runCommand(["send", "--title", "Olá", "--body", "x", "--no-wait"], bench);
  await slow.inTheMiddle();
  return out.slice(0, 36);
}

test("sineta messages cancel returns when the server begins no push any more", async () => {
  const id = await sending();
  const cancelled = await runCommand(["messages", "cancel", id, "--yes"], bench);
  expect(cancelled).toMatchObject({ status: 0, err: "" });
  expect(cancelled.out).toContain("(cancelled)");
  await slow.arrived();
  const begun = slow.begun.length;
  slow.answerAll();
  await untilAtRest(bench.dataFolder);
  await slow.arrived();
  expect(slow.begun).toHaveLength(begun);
});

test("sineta messages cancel says that no server runs, where one was killed in the middle", async () => {
  const id = await sending();
  server.kill("SIGKILL");
  await server.ended;
  expect(await runCommand(["messages", "cancel", id, "--yes"], bench)).toMatchObject({
    status: 0,
    err: "No server runs, so no push of the message begins.\n",
  });
});
