/** The origins of a project's pages: who may register, who says so, and what is left to whom it is taken from. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { installationSchema, originUseSchema, settingsSchema } from "@sineta/protocol";
import { appBench, expectProblem, origin, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

const shop = "https://loja.example";
const project = "/v1/projects/default";

let nowMs: number;
let bench: AppBench;
beforeEach(async () => {
  nowMs = 1_000;
  bench = await appBench({ originsNow: () => nowMs });
});
afterEach(() => bench.close());

const owner = async () => (await bench.operator("owner")).headers;
const change = (headers: Record<string, string>, body: object, at = bench) =>
  at.app.request(`${project}/settings`, {
    method: "PATCH",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const registerOn = (from: string, browser = testBrowser()) =>
  bench.post(browser, { headers: { Origin: from } });
const use = async (headers: Record<string, string>) => {
  const answer = await bench.app.request(`${project}/origins`, { headers });
  return originUseSchema.parse(await answer.json()).origins;
};

describe("where the settings rule", () => {
  test("a page registers as soon as an owner names its origin, beside Sineta's own", async () => {
    const headers = await owner();
    await expectProblem(await registerOn(shop), "origin-not-allowed");
    const changed = await change(headers, { origins: [`${shop}/`, "http://localhost:5173", shop] });
    const { origins } = settingsSchema.parse(await changed.json());
    expect(origins).toEqual([shop, "http://localhost:5173"]);
    const registered = await registerOn(shop);
    expect(registered.status).toBe(201);
    expect(registered.headers.get("Access-Control-Allow-Origin")).toBe(shop);
    expect((await registerOn(origin)).status).toBe(201);
    await expectProblem(await registerOn("https://www.loja.example"), "origin-not-allowed");
    const [line] = await bench.store.audit.list([bench.project.id], { limit: 1 });
    expect(line?.change).toEqual({ origins, before: { origins: [] } });
    const viewer = await bench.operator("viewer");
    const shown = await bench.app.request(`${project}/installation`, { headers: viewer.headers });
    expect(installationSchema.parse(await shown.json())).toMatchObject({
      origins: [origin, shop, "http://localhost:5173"],
      ownOrigins: [origin],
      originsSource: "settings",
    });
  });

  test("what the command line changes is obeyed within a second", async () => {
    await registerOn(shop);
    await bench.store.projects.changeSettings(
      bench.project.id,
      { origins: [shop] },
      {
        actor: { kind: "command-line", name: "test" },
        address: null,
        action: "settings.changed",
        subject: "default",
      },
      nowMs,
    );
    nowMs += 1_000;
    expect((await registerOn(shop)).status).toBe(201);
  });

  test.for([["https://*.loja.example"], ["*"], [`${shop}/caminho`], [7], "https://loja.example"])(
    "%j is none",
    async (origins) => {
      const headers = await owner();
      const problem = await expectProblem(await change(headers, { origins }), "body-invalid");
      expect(problem.fields?.[0]?.path).toMatch(/^origins/);
    },
  );

  test("an origin that is taken away ends nobody: its browsers report, leave and are forgotten, and register no more", async () => {
    const headers = await owner();
    await change(headers, { origins: [shop, "https://outra.example"] });
    const [leaves, forgotten, stays] = [testBrowser(), testBrowser(), testBrowser()];
    const tokens = [];
    for (const browser of [leaves, forgotten, stays]) {
      tokens.push(await tokenOf(await registerOn(shop, browser)));
    }
    expect(await use(headers)).toEqual([
      { origin, registrations: 0, allowed: true },
      { origin: shop, registrations: 3, allowed: true },
      { origin: "https://outra.example", registrations: 0, allowed: true },
    ]);
    await change(headers, { origins: ["https://outra.example"] });
    expect(await bench.live()).toBe(3);
    expect(await use(headers)).toEqual([
      { origin, registrations: 0, allowed: true },
      { origin: "https://outra.example", registrations: 0, allowed: true },
      { origin: shop, registrations: 3, allowed: false },
    ]);
    await expectProblem(await registerOn(shop, stays), "origin-not-allowed");
    const topic = await bench.topic("PUT", [tokens[2] ?? "", "news"], {
      Origin: shop,
      "Sineta-Client-Secret": stays.clientSecret,
    });
    await expectProblem(topic, "origin-not-allowed");

    const at = `${project}/registrations`;
    const asShop = { Origin: shop };
    for (const [method, path] of [
      ["DELETE", `${at}/${tokens[0]}`],
      ["POST", `${at}/${tokens[1]}/forget`],
      ["POST", `${project}/receipts`],
    ] as const) {
      const preflight = await bench.app.request(path, {
        method: "OPTIONS",
        headers: { ...asShop, "Access-Control-Request-Method": method },
      });
      expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
    const left = await bench.app.request(`${at}/${tokens[0]}`, {
      method: "DELETE",
      headers: { ...asShop, "Sineta-Client-Secret": leaves.clientSecret },
    });
    expect(left.status).toBe(204);
    expect(left.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(left.headers.get("Access-Control-Allow-Credentials")).toBeNull();
    const gone = await bench.app.request(`${at}/${tokens[1]}/forget`, {
      method: "POST",
      headers: { ...asShop, "Sineta-Client-Secret": forgotten.clientSecret },
    });
    expect(gone.status).toBe(204);
    expect((await use(headers)).at(-1)).toEqual({
      origin: shop,
      registrations: 1,
      allowed: false,
    });
  });

  test("owners alone see how many live where; a key that may manage does, too", async () => {
    const ask = (headers: Record<string, string>) =>
      bench.app.request(`${project}/origins`, { headers });
    expect((await ask({ Authorization: `Bearer ${await bench.key()}` })).status).toBe(200);
    await expectProblem(await ask((await bench.operator("editor")).headers), "role-missing");
    await expectProblem(await ask({}), "api-key-missing");
  });
});

test("where SINETA_ORIGINS rules, the settings change all but the origins", async () => {
  const fixed = await appBench({ pageOrigins: [shop] });
  onTestFinished(() => fixed.close());
  const { headers } = await fixed.operator("owner");
  const refused = await change(headers, { origins: [], displayName: "Padaria" }, fixed);
  await expectProblem(refused, "origins-set-by-environment");
  expect((await fixed.store.projects.settings(fixed.project.id)).displayName).toBe("");
  expect((await change(headers, { displayName: "Padaria" }, fixed)).status).toBe(200);
  const shown = await fixed.app.request(`${project}/installation`, { headers });
  expect(installationSchema.parse(await shown.json())).toMatchObject({
    origins: [origin, shop],
    originsSource: "environment",
  });
  const onShop = { headers: { Origin: shop } };
  expect((await fixed.post(testBrowser(), onShop)).status).toBe(201);
});
