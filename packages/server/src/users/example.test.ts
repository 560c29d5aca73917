import { rmSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { startServer, type RunningServer } from "../server.ts";
import { fakePush } from "../test/fake-push.ts";
import { siteClient } from "../test/http-client.ts";
import { testBrowser } from "../test/browser.ts";
import { testPlaces } from "../test/places.ts";
import { startScript, type TestProcess } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";

const script = new URL("../../../../examples/user-token/server.mjs", import.meta.url);

let bench: ReturnType<typeof testPlaces>;
let server: RunningServer;
let bakery: TestProcess;
let bakeryUrl: string;
beforeEach(async () => {
  bench = testPlaces();
  const environment = { SINETA_PORT: "0" };
  const { config } = readConfig({ flags: {}, environment, folder: bench.folder });
  const log = createLog("silent", { write: () => undefined });
  server = await startServer(config, { log, places: bench.places, sendPush: fakePush().send });
  await sineta("topics", "add", "equipe", "--kept");
  const userKey = (await sineta("user-key")).trim();
  bakery = startScript(script, [], { environment: { SINETA_USER_KEY: userKey, PORT: "0" } });
  bakeryUrl = (await bakery.line(/^The bakery is open: (\S+)\/$/))[1] ?? "";
});
afterEach(async () => {
  bakery.kill("SIGTERM");
  await bakery.ended;
  await server.stop();
  rmSync(bench.folder, { recursive: true });
});

async function sineta(...words: string[]): Promise<string> {
  const { status, out, err } = await runCommand(words, bench);
  if (status !== 0) throw new Error(err);
  return out;
}
const send = (to: string) => sineta("send", "--title", "Olá", "--body", "x", "--to", to);

async function logIn(user: string): Promise<string> {
  const response = await fetch(`${bakeryUrl}/login?user=${user}`, { method: "POST" });
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}
async function userTokenOf(cookie: string): Promise<string> {
  const response = await fetch(`${bakeryUrl}/user-token`, { headers: { Cookie: cookie } });
  const answer = (await response.json()) as { userToken?: unknown };
  return String(answer.userToken);
}

test("the example's backend binds the browsers of its users, as they log in and out", async () => {
  const client = await siteClient(server.url);
  const browser = testBrowser();
  expect(await send("user:baker")).toContain(
    "0 accepted, 0 gone, 0 retry, 0 rejected, 0 failed\nThe user baker has no browser",
  );

  const baker = await logIn("baker");
  const { token } = await client.register(browser, undefined, {
    userToken: await userTokenOf(baker),
  });
  expect(await send("user:baker")).toContain("1 accepted");
  expect(await send("topic:equipe")).toContain("1 accepted");

  const guest = await userTokenOf(await logIn("guest"));
  await client.register(browser, token, { userToken: guest });
  expect(await send("user:baker")).toContain("0 accepted");
  expect(await send("user:guest")).toContain("1 accepted");
  expect(await send("topic:equipe")).toContain("0 accepted");
  expect(await send("topic:equipe")).toContain("Nobody is in the topic equipe.");

  await client.register(browser, token, { userToken: null });
  expect(await send("user:guest")).toContain("0 accepted");
  expect(await send("all")).toContain("1 accepted");
});

test("it signs for nobody who is not logged in", async () => {
  const cookie = await logIn("baker");
  await fetch(`${bakeryUrl}/logout`, { method: "POST", headers: { Cookie: cookie } });
  for (const headers of [{}, { Cookie: "login=x" }, { Cookie: cookie }]) {
    const response = await fetch(`${bakeryUrl}/user-token?user=baker`, { headers });
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain("userToken");
  }
});
