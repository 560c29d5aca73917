import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  attentionSchema,
  problemSchema,
  registrationStorySchema,
  type HttpErrorCode,
} from "@sineta/protocol";
import {
  appBench,
  expectProblem,
  origin,
  registrationsPath,
  tokenOf,
  type AppBench,
  type Changes,
} from "../test/app-bench.ts";
import { testBrowser, testSubscription, type TestBrowser } from "../test/browser.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

describe("registering", () => {
  test("a new browser: 201 and a token; the same again: 200 and the same token", async () => {
    const browser = testBrowser();
    const first = await bench.post(browser, {
      more: { locale: "pt-BR", timeZone: "America/Recife" },
    });
    expect(first.status).toBe(201);
    const token = await tokenOf(first);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const second = await bench.post(browser, { more: { token } });
    expect(second.status).toBe(200);
    expect(await tokenOf(second)).toBe(token);
    expect(await bench.live()).toBe(1);
  });

  test.for<["timeZone" | "locale", given: string, kept: string | undefined]>([
    ["timeZone", "America/Recife", "America/Recife"],
    ["timeZone", "AMERICA/recife", "America/Recife"],
    ["timeZone", "-23:59", undefined],
    ["timeZone", "Mars/Olympus", undefined],
    ["locale", "pt-BR", "pt-BR"],
    ["locale", "en-US@posix", "en-US@posix"],
    ["locale", "pt-BR\u0000", undefined],
    ["locale", "pt\ud83d", undefined],
    ["locale", "\u202ept", undefined],
    ["locale", "\u200b", undefined],
  ])("of a %s %j it keeps %s", async ([field, given, kept]) => {
    const token = await tokenOf(await bench.post(testBrowser(), { more: { [field]: given } }));
    const story = await bench.ask(`registrations/${token}`, await bench.key());
    expect(registrationStorySchema.parse(await story.json())[field]).toBe(kept);
  });

  test.for([
    ["padded", (key: string) => key.padEnd(Math.ceil(key.length / 4) * 4, "=")],
    [
      "in lines of base64",
      (key: string) =>
        `${Buffer.from(key, "base64url").toString("base64").replace(/.{76}/, "$&\r\n")}\n`,
    ],
    ["between blanks", (key: string) => ` \t${key}${" ".repeat(255)}`],
    ["in base64", (key: string) => Buffer.from(key, "base64url").toString("base64")],
  ] as const)(
    "with its keys %s and :443 in its endpoint it is the same browser",
    async ([, written]) => {
      const browser = testBrowser();
      const { endpoint, keys } = browser.subscription;
      const { host, pathname } = new URL(endpoint);
      const subscription = {
        endpoint: `https://${host}:443${pathname}`,
        keys: { p256dh: written(keys.p256dh), auth: written(keys.auth) },
      };
      const more = { vapidKey: written(bench.project.keys.current.publicKey) };
      expect([subscription.endpoint, subscription.keys]).not.toEqual([endpoint, keys]);
      const token = await tokenOf(await bench.post({ ...browser, subscription }, { more }));
      expect(await bench.find(token)).toMatchObject({ subscription: keys });
      expect(await tokenOf(await bench.post(browser))).toBe(token);
      expect(await bench.live()).toBe(1);
    },
  );

  test("keys that cannot be used are named with what is wrong", async () => {
    const { keys, ...subscription } = testSubscription();
    const asked = async (changed: object) => {
      const more = { subscription: { ...subscription, keys: { ...keys, ...changed } } };
      const problem = await (await bench.post(testBrowser(), { more })).json();
      return problemSchema.parse(problem).fields;
    };
    expect(await asked({ p256dh: "=" })).toEqual([
      { path: "subscription.keys.p256dh", message: "it has 0 bytes: expected 65" },
    ]);
    expect(await asked({ auth: "not base64" })).toEqual([
      { path: "subscription.keys.auth", message: "it is not base64url" },
    ]);
    expect(await asked({ auth: `${keys.auth.slice(0, 9)} ${keys.auth.slice(10)}` })).toEqual([
      { path: "subscription.keys.auth", message: "it is not base64url" },
    ]);
    const hex = "it is hexadecimal: expected base64url";
    const asHex = (key: string) => Buffer.from(key, "base64url").toString("hex");
    expect(await asked({ auth: asHex(keys.auth) })).toEqual([
      { path: "subscription.keys.auth", message: hex },
    ]);
    expect(await asked({ p256dh: asHex(keys.p256dh).toUpperCase() })).toEqual([
      { path: "subscription.keys.p256dh", message: hex },
    ]);
  });

  test("a new subscription of a known browser: same token, next generation", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await bench.post(browser));
    const renewed = { ...browser, subscription: testSubscription() };
    const response = await bench.post(renewed, { more: { token } });
    expect(response.status).toBe(200);
    expect(await tokenOf(response)).toBe(token);
    expect(await bench.find(token)).toMatchObject({
      generation: 2,
      subscription: renewed.subscription.keys,
    });
    expect(await bench.live()).toBe(1);
  });

  test("two tabs at once: one registration", async () => {
    const browser = testBrowser();
    const responses = await Promise.all([
      bench.post(browser),
      bench.post(browser),
      bench.post(browser),
    ]);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(new Set(await Promise.all(responses.map(tokenOf))).size).toBe(1);
    expect(await bench.live()).toBe(1);
  });

  test("what is kept of the client secret is not the client secret", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await bench.post(browser));
    const found = await bench.find(token);
    expect(String(Buffer.from(found?.clientSecretHash ?? []))).not.toContain(browser.clientSecret);
    expect(found?.clientSecretHash).toHaveLength(32);
  });
});

describe("a known endpoint is refused, and nothing is changed", () => {
  test.for<[string, (browser: TestBrowser) => TestBrowser]>([
    ["with a wrong secret", (browser) => testBrowser({ subscription: browser.subscription })],
    [
      "with another p256dh",
      ({ clientSecret, subscription }) => {
        const { p256dh } = testSubscription().keys;
        return {
          clientSecret,
          subscription: { ...subscription, keys: { ...subscription.keys, p256dh } },
        };
      },
    ],
    [
      "with another auth",
      ({ clientSecret, subscription }) => {
        const { auth } = testSubscription().keys;
        return {
          clientSecret,
          subscription: { ...subscription, keys: { ...subscription.keys, auth } },
        };
      },
    ],
  ])("%s", async ([, change]) => {
    const browser = testBrowser();
    const token = await tokenOf(await bench.post(browser));
    const before = await bench.find(token);
    const response = await bench.post(change(browser), { more: { token } });
    await expectProblem(response, "registration-refused");
    expect(await response.text()).not.toContain(token);
    expect(await bench.find(token)).toEqual(before);
    expect(await bench.live()).toBe(1);
  });
});

describe("a subscription that its push service has ended", () => {
  let browser: TestBrowser;
  let token: string;
  beforeEach(async () => {
    browser = testBrowser();
    token = await tokenOf(await bench.post(browser));
    await bench.deliver(token, "accepted");
    await bench.deliver(token, "gone");
  });

  test("its browser is told so, and comes back with a new one under the same token", async () => {
    await expectProblem(await bench.post(browser, { more: { token } }), "subscription-gone");
    expect(await bench.live()).toBe(0);
    const anew = { ...browser, subscription: testSubscription() };
    const response = await bench.post(anew, { more: { token } });
    expect(response.status).toBe(200);
    expect(await tokenOf(response)).toBe(token);
    expect(await bench.live()).toBe(1);
  });

  test("a browser that was told, and gets the same one again, is registered", async () => {
    await expectProblem(await bench.post(browser, { more: { token } }), "subscription-gone");
    const again = await bench.post(browser, { more: { token } });
    expect(await tokenOf(again)).toBe(token);
    await bench.deliver(token, "gone");
    await expectProblem(await bench.post(browser, { more: { token } }), "subscription-gone");
  });

  test("another browser that shows it is refused, and told nothing", async () => {
    const stranger = testBrowser({ subscription: browser.subscription });
    for (let tried = 0; tried < 3; tried += 1) {
      const refused = await bench.post(stranger, { more: { token } });
      const { title } = await expectProblem(refused, "registration-refused");
      expect(title).not.toContain("ended");
    }
    expect(await bench.live()).toBe(0);
    await expectProblem(await bench.post(browser, { more: { token } }), "subscription-gone");
  });
});

describe("bad input is a problem, and nothing is stored", () => {
  const fields = (over: object) => ({ ...testBrowser().subscription, ...over });
  const keys = testSubscription().keys;
  test.for<[string, HttpErrorCode, Changes]>([
    ["malformed JSON", "json-malformed", { body: '{"subscription":' }],
    ["no JSON at all", "json-malformed", { body: " " }],
    ["not an object", "body-invalid", { body: "[]" }],
    ["an empty object", "body-invalid", { body: {} }],
    [
      "a subscription without keys",
      "body-invalid",
      { more: { subscription: fields({ keys: {} }) } },
    ],
    ["a token that is none", "body-invalid", { more: { token: "abc" } }],
    ["a VAPID key that is none", "body-invalid", { more: { vapidKey: "abc" } }],
    ["too large", "body-too-large", { body: { pad: "x".repeat(17_000) } }],
    ["a form", "content-type-unsupported", { headers: { "Content-Type": "text/plain" } }],
    ["no content type", "content-type-unsupported", { headers: { "Content-Type": null } }],
    [
      "a p256dh off the curve",
      "subscription-key-invalid",
      {
        more: {
          subscription: fields({
            keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString("base64url") },
          }),
        },
      },
    ],
    [
      "a p256dh of the wrong length",
      "subscription-key-invalid",
      { more: { subscription: fields({ keys: { ...keys, p256dh: keys.p256dh.slice(4) } }) } },
    ],
    [
      "an auth of 15 bytes",
      "subscription-auth-invalid",
      {
        more: {
          subscription: fields({
            keys: { ...keys, auth: Buffer.alloc(15).toString("base64url") },
          }),
        },
      },
    ],
    ["an unknown VAPID key", "vapid-key-unknown", { more: { vapidKey: keys.p256dh } }],
    ["no secret", "client-secret-malformed", { headers: { "Sineta-Client-Secret": null } }],
    ["a short secret", "client-secret-malformed", { headers: { "Sineta-Client-Secret": "abc" } }],
    ["no Origin", "origin-missing", { headers: { Origin: null } }],
    ["a foreign Origin", "origin-not-allowed", { headers: { Origin: "https://evil.example" } }],
    ["a null Origin", "origin-not-allowed", { headers: { Origin: "null" } }],
    [
      "an Origin that only begins right",
      "origin-not-allowed",
      { headers: { Origin: `${origin}.evil.example` } },
    ],
  ])("%s: %s", async ([, code, changes]) => {
    const problem = await expectProblem(await bench.post(testBrowser(), changes), code);
    const namesField = code === "body-invalid" || code.startsWith("subscription-");
    expect(problem.fields !== undefined).toBe(namesField);
    expect(await bench.live()).toBe(0);
  });

  test("the log and Início tell of pages with an unknown VAPID key, if their origin is allowed", async () => {
    const more = { vapidKey: testSubscription().keys.p256dh };
    for (const from of [origin, origin, "https://evil.example"]) {
      await bench.post(testBrowser(), { more, headers: { Origin: from } });
    }
    const { headers } = await bench.operator("viewer");
    const answer = await bench.app.request("/v1/projects/default/attention", { headers });
    const { items } = attentionSchema.parse(await answer.json());
    const keyStart = more.vapidKey.slice(0, 12);
    const vapidKey = bench.project.keys.current.publicKey;
    expect(items).toEqual([
      expect.objectContaining({
        code: "vapid-key-unknown",
        origin,
        keyStart,
        vapidKey,
        refused: 2,
      }),
    ]);
    const told = bench.logged.map((line) => JSON.parse(line)).filter((line) => "keyStart" in line);
    expect(told).toEqual([expect.objectContaining({ level: 40, origin, keyStart, vapidKey })]);
  });

  test("Início tells of the page no more once it sends the right key", async () => {
    let nowMs = 0;
    const later = await appBench({ browsersNow: () => nowMs });
    onTestFinished(() => later.close());
    const more = { vapidKey: testSubscription().keys.p256dh };
    await expectProblem(await later.post(testBrowser(), { more }), "vapid-key-unknown");
    nowMs = 600_000;
    expect((await later.post(testBrowser())).status).toBe(201);
    const { headers } = await later.operator("viewer");
    const answer = await later.app.request("/v1/projects/default/attention", { headers });
    expect(attentionSchema.parse(await answer.json()).items).toEqual([]);
  });

  test.for([
    "http://fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:8443/fcm/send/x",
    "https://user@fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com.evil.example/fcm/send/x",
    "https://storage.googleapis.com/x",
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://169.254.169.254/latest/meta-data",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "no address",
  ])("the endpoint %s is not allowed", async (endpoint) => {
    const subscription = { ...testSubscription(), endpoint };
    const response = await bench.post(testBrowser({ subscription }));
    const problem = await expectProblem(response, "endpoint-not-allowed");
    // It says why, and does not repeat the endpoint.
    expect(problem.fields).toEqual([
      { path: "subscription.endpoint", message: expect.stringMatching(/^its? /) },
    ]);
    expect(JSON.stringify(problem)).not.toContain(endpoint);
    expect(await response.text()).not.toContain(endpoint);
    expect(await bench.live()).toBe(0);
  });

  test("a body that does not say its length is limited all the same", async () => {
    const chunk = new TextEncoder().encode(`{"pad":"${"x".repeat(4_000)}`);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        if (sent > 1_000) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const request = new Request(`http://localhost${registrationsPath}`, {
      method: "POST",
      headers: {
        Origin: origin,
        "Content-Type": "application/json",
        "Sineta-Client-Secret": testBrowser().clientSecret,
      },
      body,
      duplex: "half",
    });
    await expectProblem(await bench.app.request(request), "body-too-large");
    // A little is read on, so that the client gets to read the answer; then no more.
    expect(sent).toBeLessThan(300);
  });

  test("an unknown project", async () => {
    const address = "/v1/projects/other/registrations";
    const options = { method: "POST", headers: { Origin: origin }, body: "{}" };
    await expectProblem(await bench.app.request(address, options), "project-unknown");
    await expectProblem(await bench.app.request("/v1/projects/other/config"), "project-unknown");
    expect(await bench.live()).toBe(0);
  });
});

describe("being forgotten", () => {
  const forget = (token: string, headers: Record<string, string>) =>
    bench.app.request(`${registrationsPath}/${token}/forget`, { method: "POST", headers });

  test("with the right secret: 204, nothing is found under the token any more; once", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await bench.post(browser));
    const own = { Origin: origin, "Sineta-Client-Secret": browser.clientSecret };
    const response = await forget(token, own);
    expect(response.status).toBe(204);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(await bench.find(token)).toBeNull();
    expect(await bench.live()).toBe(0);
    await expectProblem(await forget(token, own), "registration-unknown");
    expect((await bench.post(browser, { more: { token } })).status).toBe(201);
  });

  test("not without the right secret, wherever it is asked from", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await bench.post(browser));
    const secret = { "Sineta-Client-Secret": browser.clientSecret };
    const wrong = { "Sineta-Client-Secret": testBrowser().clientSecret };
    await expectProblem(await forget(token, { Origin: origin }), "client-secret-malformed");
    await expectProblem(await forget(token, secret), "origin-missing");
    // From wherever it is asked, the secret decides: a page whose origin was taken away may still have this done.
    for (const from of [origin, "https://evil.example"]) {
      await expectProblem(await forget(token, { ...wrong, Origin: from }), "registration-unknown");
    }
    expect(await bench.live()).toBe(1);
  });
});

describe("leaving", () => {
  test("with the right secret: 204, ended and scrubbed; once", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await bench.post(browser));
    await bench.startMessage();
    const response = await bench.remove(token, browser.clientSecret);
    expect(response.status).toBe(204);
    expect(await bench.find(token)).toMatchObject({
      subscription: null,
      clientSecretHash: null,
      endReason: "left",
    });
    await expectProblem(await bench.remove(token, browser.clientSecret), "registration-unknown");
    // Whoever comes back is new.
    const again = await bench.post(browser, { more: { token } });
    expect(again.status).toBe(201);
    expect(await tokenOf(again)).not.toBe(token);
  });

  test("an unknown token and a wrong secret are answered alike", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await bench.post(browser));
    const wrong = await bench.remove(token, testBrowser().clientSecret);
    const unknown = await bench.remove(randomBytes(32).toString("base64url"), browser.clientSecret);
    const odd = await bench.remove("x", browser.clientSecret);
    await expectProblem(wrong, "registration-unknown");
    expect(await unknown.text()).toBe(await wrong.clone().text());
    expect(await odd.text()).toBe(await wrong.text());
    expect([...unknown.headers]).toEqual([...wrong.headers]);
    expect(await bench.live()).toBe(1);
  });

  test("not without the right secret, wherever it is asked from", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await bench.post(browser));
    const address = `${registrationsPath}/${token}`;
    const secret = { "Sineta-Client-Secret": browser.clientSecret };
    const ask = (headers: Record<string, string>) =>
      bench.app.request(address, { method: "DELETE", headers });
    await expectProblem(await ask({ Origin: origin }), "client-secret-malformed");
    await expectProblem(await ask(secret), "origin-missing");
    const wrong = { "Sineta-Client-Secret": testBrowser().clientSecret };
    for (const from of [origin, "https://evil.example"]) {
      await expectProblem(await ask({ ...wrong, Origin: from }), "registration-unknown");
    }
    expect(await bench.live()).toBe(1);
  });
});
