import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { LabEvent } from "../events.ts";
import { type PushLab, startPushLab } from "../lab.ts";
import { vapidKeys } from "../test/application-server.ts";
import {
  checkIn,
  postCheckIn,
  register,
  subscribe,
  switchUrl,
  testOrigin,
} from "../test/chromium-client.ts";

let lab: PushLab;
let events: LabEvent[];

beforeEach(async () => {
  lab = await startPushLab();
  events = [];
  lab.onEvent((event) => events.push(event));
});
afterEach(() => lab.close());

const refusals = () =>
  events.flatMap((event) => (event.type === "registration-refused" ? [event.error] : []));

const count = (type: LabEvent["type"]) => events.filter((event) => event.type === type).length;

describe("check-in", () => {
  test("gives every new profile an identity of its own", async () => {
    const [fox, owl] = [await checkIn(lab), await checkIn(lab)];
    expect(fox.browser).toMatch(/^[1-9]\d+$/);
    expect(fox.securityToken).toMatch(/^[1-9]\d+$/);
    expect(owl.browser).not.toBe(fox.browser);
    expect(owl.securityToken).not.toBe(fox.securityToken);
  });

  test("leaves a profile its identity, also one from another lab", async () => {
    const fox = await checkIn(lab);
    expect(await checkIn(lab, fox)).toEqual(fox);
    const stranger = { browser: "4711", securityToken: "18446744073709551615" };
    expect(await checkIn(lab, stranger)).toEqual(stranger);
  });

  test("does not give a profile the identity of another", async () => {
    const fox = await checkIn(lab);
    const thief = await checkIn(lab, { ...fox, securityToken: "1" });
    expect(thief.browser).not.toBe(fox.browser);
  });

  test("refuses what is no check-in, and goes on", async () => {
    expect((await postCheckIn(lab, Uint8Array.of(0x12, 0xff, 0xff))).status).toBe(400);
    expect((await postCheckIn(lab, new Uint8Array(70_000))).status).toBe(413);
    expect((await fetch(switchUrl(lab, "gcm-checkin-url"))).status).toBe(405);
    expect((await checkIn(lab)).browser).not.toBe("");
  });

  test("fails as it was told, until it recovers", async () => {
    lab.chromium.failCheckIns(503);
    expect((await postCheckIn(lab, new Uint8Array(0))).status).toBe(503);
    lab.chromium.recover();
    expect((await postCheckIn(lab, new Uint8Array(0))).status).toBe(200);
  });
});

describe("registration", () => {
  test("for web push is a subscription with everything about it", async () => {
    const fox = await checkIn(lab);
    const endpoint = await subscribe(lab, fox);
    expect(lab.subscriptions()).toEqual([
      {
        endpoint,
        browser: fox.browser,
        origin: testOrigin,
        applicationServerKey: vapidKeys.publicKey,
        createdAtMs: expect.any(Number),
      },
    ]);
    expect(events.map(({ type }) => type)).toEqual(["checked-in", "subscribed"]);
  });

  test("asked for again is the same subscription", async () => {
    const fox = await checkIn(lab);
    expect(await subscribe(lab, fox)).toBe(await subscribe(lab, fox));
    expect(lab.subscriptions()).toHaveLength(1);
  });

  test("of two profiles for one page are two", async () => {
    const first = await subscribe(lab, await checkIn(lab));
    expect(await subscribe(lab, await checkIn(lab))).not.toBe(first);
    expect(lab.subscriptions()).toHaveLength(2);
  });

  test("of Chromium's own gets a token, and is no subscription", async () => {
    const answer = await register(lab, await checkIn(lab), { subtype: "com.example.sharing" });
    expect(answer).toMatch(/^token=.{20}/);
    expect(lab.subscriptions()).toEqual([]);
  });

  test.each([
    ["a sender that is no VAPID key", { sender: "1234567890" }, "Error=INVALID_SENDER"],
    ["no subtype", { subtype: "" }, "Error=INVALID_PARAMETERS"],
  ])("with %s is refused", async (_case, form, answer) => {
    expect(await register(lab, await checkIn(lab), form)).toBe(answer);
    expect(lab.subscriptions()).toEqual([]);
  });

  test("with somebody else's identity is refused", async () => {
    const fox = await checkIn(lab);
    const answer = await register(lab, { ...fox, securityToken: "1" });
    expect(answer).toBe("Error=AUTHENTICATION_FAILED");
    expect(refusals()).toEqual(["AUTHENTICATION_FAILED"]);
  });

  test("is ended by the browser that made it, and by no other", async () => {
    const [fox, owl] = [await checkIn(lab), await checkIn(lab)];
    const endpoint = await subscribe(lab, fox);
    await register(lab, owl, { delete: true });
    expect(lab.subscriptions()[0]?.ended).toBeUndefined();
    expect(await register(lab, fox, { delete: true })).toMatch(/^token=wp:https:\/\/shop/);
    expect(lab.subscriptions()[0]?.ended).toEqual({ atMs: expect.any(Number), status: 410 });
    expect(await subscribe(lab, fox)).not.toBe(endpoint);
  });
});

describe("registration is made to", () => {
  test.each(["QUOTA_EXCEEDED", "INVALID_SENDER"] as const)("fail with %s", async (error) => {
    const fox = await checkIn(lab);
    lab.chromium.failRegistrations(error);
    expect(await register(lab, fox)).toBe(`Error=${error}`);
    expect(lab.subscriptions()).toEqual([]);
    expect(refusals()).toEqual([error]);
    lab.chromium.recover();
    expect(await register(lab, fox)).toMatch(/^token=/);
  });

  test("hang; what still waits at the recovery is answered, what gave up is not", async () => {
    const fox = await checkIn(lab);
    lab.chromium.hangRegistrations();
    const impatient = new AbortController();
    const givenUp = register(lab, fox, { origin: "https://a.example", signal: impatient.signal });
    const patient = register(lab, fox, { origin: "https://b.example" });
    await lab.until(() => count("registration-held") === 2);

    impatient.abort();
    await expect(givenUp).rejects.toThrow("aborted");
    await lab.until(() => count("registration-abandoned") === 1);
    lab.chromium.recover();
    expect(await patient).toMatch(/^token=/);
    expect(lab.subscriptions().map(({ origin }) => origin)).toEqual(["https://b.example"]);
  });

  test("let a browser unsubscribe all the same", async () => {
    const fox = await checkIn(lab);
    await subscribe(lab, fox);
    lab.chromium.hangRegistrations();
    await register(lab, fox, { delete: true });
    expect(lab.subscriptions()[0]?.ended?.status).toBe(410);
  });
});
