import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  audienceDaysSchema,
  audienceSchema,
  registrationListSchema,
  registrationStorySchema,
} from "@sineta/protocol";
import {
  appBench,
  expectProblem,
  tokenOf,
  type AppBench,
  type Changes,
} from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const register = async (changes: Changes = {}) => {
  const browser = testBrowser();
  return { browser, token: await tokenOf(await bench.post(browser, changes)) };
};
const ask = async (path: string) => bench.ask(path, await bench.key());
const list = async (query = "") =>
  registrationListSchema.parse(await (await ask(`registrations${query}`)).json());
const tokens = async (query: string) => (await list(query)).registrations.map(({ token }) => token);
const story = async (token: string) =>
  registrationStorySchema.parse(await (await ask(`registrations/${token}`)).json());
const remove = (token: string, headers: Record<string, string>) =>
  bench.app.request(`/v1/projects/default/registrations/${token}/remove`, {
    method: "POST",
    headers,
  });

describe("the audience", () => {
  test("is nobody at first", async () => {
    expect(audienceSchema.parse(await (await ask("audience")).json())).toEqual({
      live: 0,
      byPushService: [],
      byBrowser: [],
      bySystem: [],
      byLanguage: [],
    });
  });

  test("is told by browser, system, language and push service; of the header nothing else is kept", async () => {
    const headers = { "User-Agent": `${firefox} secret-build` };
    const { browser } = await register({ headers, more: { locale: "pt-BR" } });
    await register({ more: { locale: "??" } });
    await register();
    const body = audienceSchema.parse(await (await ask("audience")).json());
    expect(body).toEqual({
      live: 3,
      byPushService: [{ pushService: "fcm", registrations: 3 }],
      byBrowser: [
        { browser: "unknown", registrations: 2 },
        { browser: "firefox", registrations: 1 },
      ],
      bySystem: [
        { system: "unknown", registrations: 2 },
        { system: "linux", registrations: 1 },
      ],
      byLanguage: [
        { language: "pt", registrations: 1 },
        { language: "other", registrations: 1 },
        { language: "unknown", registrations: 1 },
      ],
    });
    // It says it anew when it is confirmed.
    await bench.post(browser, { headers: { "User-Agent": "curl/8.5.0" } });
    const { byBrowser } = audienceSchema.parse(await (await ask("audience")).json());
    expect(byBrowser).toContainEqual({ browser: "other", registrations: 1 });
    expect(JSON.stringify(await list())).not.toMatch(/secret-build|Gecko|curl/);
  });

  test("rare languages are counted together", async () => {
    const letters = "abcdefghijklmnopqrstuvwxyz";
    for (const letter of letters) await register({ more: { locale: `z${letter}` } });
    const { byLanguage } = audienceSchema.parse(await (await ask("audience")).json());
    expect(byLanguage).toHaveLength(21);
    expect(byLanguage.at(-1)).toEqual({ language: "other", registrations: 6 });
  });

  test("its days are told each, also those on which nothing happened", async () => {
    const { browser, token } = await register();
    await register();
    await bench.remove(token, browser.clientSecret);
    const days = async (query: string) =>
      audienceDaysSchema.parse(await (await ask(`audience/days${query}`)).json()).days;
    const nothing = { registered: 0, returned: 0, renewed: 0, left: 0, gone: 0, removed: 0 };
    expect(await days("?from=1969-12-31&to=1970-01-02")).toEqual([
      { ...nothing, day: "1969-12-31", live: 0 },
      { ...nothing, day: "1970-01-01", registered: 2, left: 1, live: 1 },
      { ...nothing, day: "1970-01-02", live: 1 },
    ]);
    expect(await days("?from=1970-01-03&to=1970-01-03")).toEqual([
      { ...nothing, day: "1970-01-03", live: 1 },
    ]);
    const usual = await days("");
    expect(usual).toHaveLength(30);
    expect(usual.at(-1)).toMatchObject({ day: "1970-01-01", live: 1 });
    expect(await days("?to=1970-03-01")).toHaveLength(30);
  });

  test.for(["?from=1970-01-02&to=1970-01-01", "?from=2020-01-01&to=2026-01-01", "?from=yesterday"])(
    "days%s are refused",
    async (query) => {
      const problem = await expectProblem(await ask(`audience/days${query}`), "body-invalid");
      expect(problem.fields).toHaveLength(1);
    },
  );
});

describe("registrations", () => {
  test("are listed newest first, page by page, without endpoint and keys", async () => {
    const all = [await register(), await register(), await register()];
    const first = await list("?limit=2");
    expect(first.registrations.map(({ token }) => token)).toEqual([all[2]?.token, all[1]?.token]);
    const second = await list(`?limit=2&before=${first.next}`);
    expect(second.registrations.map(({ token }) => token)).toEqual([all[0]?.token]);
    expect(second.next).toBeUndefined();
    expect(first.registrations[0]).toEqual({
      token: all[2]?.token,
      state: "live",
      pushService: "fcm",
      browser: "unknown",
      system: "unknown",
      language: "unknown",
      origin: "https://site.example",
      registeredAt: "1970-01-01T00:00:01.000Z",
      confirmedAt: "1970-01-01T00:00:01.000Z",
    });
    for (const { browser, token } of all) {
      const told = JSON.stringify([await list(), await story(token)]);
      expect(told).not.toContain(browser.subscription.endpoint);
      expect(told).not.toContain(browser.subscription.keys.auth);
      expect(told).not.toContain(browser.clientSecret);
    }
  });

  test("are filtered by each of their sides", async () => {
    await bench.store.topics.add(bench.project.id, { name: "bread", policy: "open" }, 1);
    const [one, two] = [
      await register({ headers: { "User-Agent": firefox }, more: { locale: "es" } }),
      await register({ more: { topics: ["bread"] } }),
    ];
    await bench.startMessage();
    await bench.remove(one.token, one.browser.clientSecret);
    expect(await tokens("?state=left")).toEqual([one.token]);
    expect(await tokens("?state=live")).toEqual([two.token]);
    expect(await tokens("?browser=firefox&system=linux&language=es")).toEqual([one.token]);
    expect(await tokens("?topic=bread")).toEqual([two.token]);
    expect(await tokens("?pushService=fcm")).toHaveLength(2);
    expect(await tokens("?pushService=other")).toEqual([]);
    expect(await tokens("?pushService=apple")).toEqual([]);
    expect(await tokens(`?token=${two.token}`)).toEqual([two.token]);
    expect(await tokens("?user=reader")).toEqual([]);
    await expectProblem(await ask("registrations?topic=cake"), "topic-unknown");
    for (const wrong of ["state=dead", "browser=mosaic", "language=pt-BR", "limit=0", "before=x"]) {
      await expectProblem(await ask(`registrations?${wrong}`), "body-invalid");
    }
  });

  test("one has its story, in order", async () => {
    await bench.store.topics.add(
      bench.project.id,
      { name: "bread", displayName: "Pão do dia", policy: "open" },
      1,
    );
    const { token, browser } = await register({ more: { locale: "pt-BR", topics: ["bread"] } });
    expect(await story(token)).toMatchObject({
      state: "live",
      locale: "pt-BR",
      generation: 1,
      topics: [{ name: "bread", displayName: "Pão do dia", policy: "open" }],
      events: [{ kind: "registered" }, { kind: "joined", topic: "bread" }],
      more: false,
    });
    await bench.startMessage();
    await bench.remove(token, browser.clientSecret);
    expect((await story(token)).events).toEqual([
      { kind: "registered", at: "1970-01-01T00:00:01.000Z" },
      { kind: "ended", state: "left", at: "1970-01-01T00:00:01.000Z" },
    ]);
    await expectProblem(await ask("registrations/nobody"), "registration-not-found");
  });

  test("an editor removes one, and the audit says so; twice changes nothing", async () => {
    const { token, browser } = await register();
    const { headers, email } = await bench.operator("editor");
    await expectProblem(await remove("nobody", headers), "registration-not-found");
    expect((await remove(token, headers)).status).toBe(204);
    expect((await remove(token, headers)).status).toBe(204);
    expect((await story(token)).state).toBe("removed");
    const lines = await bench.store.audit.list([bench.project.id], { limit: 9 });
    const ours = lines.filter(({ action }) => action === "registration.removed");
    const subject = token.slice(0, 8);
    expect(ours).toMatchObject([{ subject, actor: { kind: "operator", name: email } }]);
    // The browser comes back by itself, as another one.
    const again = await bench.post(browser, { more: { token } });
    expect(again.status).toBe(201);
    expect(await tokenOf(again)).not.toBe(token);
    const viewer = await bench.operator("viewer");
    await expectProblem(await remove(token, viewer.headers), "role-missing");
  });
});
