import { limits } from "@sineta/protocol";
import { SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appBench, expectProblem, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser, testSubscription, type TestBrowser } from "../test/browser.ts";

let bench: AppBench;
let browser: TestBrowser;
let token: string;
beforeEach(async () => {
  bench = await appBench();
  for (const [name, policy] of [
    ["bread", "open"],
    ["staff", "kept"],
    ["vip", "kept"],
  ] as const) {
    await bench.store.topics.add(bench.project.id, { name, policy }, 1);
  }
  browser = testBrowser();
  token = await tokenOf(await bench.post(browser));
});
afterEach(() => bench.close());

/** As a site's backend signs it. The bench's clock stands at one second. */
function userToken(sub: string, topics?: readonly string[], key = bench.project.userKey) {
  const claims = { sub, exp: 600, ...(topics === undefined ? {} : { topics }) };
  return new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(key));
}
const post = (more: object) => bench.post(browser, { more: { token, ...more } });
const bind = async (...of: Parameters<typeof userToken>) =>
  post({ userToken: await userToken(...of) });
const membership = () => bench.membership(token);

describe("a user token in a registration", () => {
  test("binds, null unbinds, and without it nothing changes", async () => {
    expect((await bind("baker")).status).toBe(200);
    expect(await membership()).toEqual({ userId: "baker", topics: [] });
    expect((await post({})).status).toBe(200);
    expect(await membership()).toEqual({ userId: "baker", topics: [] });
    expect((await post({ userToken: null })).status).toBe(200);
    expect(await membership()).toEqual({ userId: null, topics: [] });
  });

  test("binds a new registration", async () => {
    const response = await bench.post(testBrowser(), {
      more: { topics: ["bread"], userToken: await userToken("baker", ["staff"]) },
    });
    expect(response.status).toBe(201);
    expect(await bench.membership(await tokenOf(response))).toEqual({
      userId: "baker",
      topics: ["bread", "staff"],
    });
  });

  test("names the kept topics; the visitor's own stay", async () => {
    await post({ topics: ["bread"] });
    await bind("baker", ["staff"]);
    expect(await membership()).toEqual({ userId: "baker", topics: ["bread", "staff"] });
    await bind("baker");
    expect(await membership()).toEqual({ userId: "baker", topics: ["bread", "staff"] });
    await bind("baker", ["vip"]);
    expect(await membership()).toEqual({ userId: "baker", topics: ["bread", "vip"] });
    await bind("baker", []);
    expect(await membership()).toEqual({ userId: "baker", topics: ["bread"] });
  });

  test("kept topics end with the user", async () => {
    await post({ topics: ["bread"] });
    await bind("baker", ["staff"]);
    await bind("cook");
    expect(await membership()).toEqual({ userId: "cook", topics: ["bread"] });
    await bind("cook", ["vip"]);
    await post({ userToken: null });
    expect(await membership()).toEqual({ userId: null, topics: ["bread"] });
  });

  test("user and topics outlive a new subscription", async () => {
    await post({ topics: ["bread"], userToken: await userToken("baker", ["staff"]) });
    browser = { ...browser, subscription: testSubscription() };
    expect((await post({})).status).toBe(200);
    expect(await bench.find(token)).toMatchObject({ generation: 2 });
    expect(await membership()).toEqual({ userId: "baker", topics: ["bread", "staff"] });
  });

  test("another browser cannot bind this registration", async () => {
    const stranger = testBrowser({ subscription: browser.subscription });
    const more = { token, userToken: await userToken("cook") };
    await expectProblem(await bench.post(stranger, { more }), "registration-refused");
    expect(await membership()).toEqual({ userId: null, topics: [] });
  });

  test("of no other kind is taken, and nothing is changed then", async () => {
    await bind("baker", ["staff"]);
    const before = await bench.find(token);
    const expired = await new SignJWT({ sub: "cook", exp: -100 })
      .setProtectedHeader({ alg: "HS256" })
      .sign(Buffer.from(bench.project.userKey));
    const cases = [
      [
        "user-token-invalid",
        await userToken("cook", [], "another key".padEnd(43, "x")),
        "userToken: its signature was not made with the key that sineta user-key prints",
      ],
      ["user-token-invalid", "cook", expect.stringContaining("userToken: it is not a JWT")],
      ["user-token-invalid", "", expect.stringContaining("userToken: it is not a JWT")],
      ["user-token-expired", expired],
      [
        "topic-unknown",
        await userToken("cook", ["vip", "tea"]),
        'userToken.topics: there is no topic "tea"',
      ],
      ["body-invalid", "x".repeat(limits.userTokenCharacters + 1)],
      ["body-invalid", { sub: "cook" }],
    ] as const;
    for (const [code, wrong, told] of cases) {
      browser = { ...browser, subscription: testSubscription() };
      await expectProblem(await post({ userToken: wrong, topics: ["bread"] }), code);
      const more = { userToken: wrong };
      const { fields = [] } = await expectProblem(await bench.post(testBrowser(), { more }), code);
      if (told === undefined) continue;
      expect(fields.map(({ path, message }) => `${path}: ${message}`)).toEqual([told]);
    }
    expect(await bench.find(token)).toEqual(before);
    expect(await membership()).toEqual({ userId: "baker", topics: ["staff"] });
    expect(await bench.live()).toBe(1);
    expect(bench.logged.join("")).not.toContain("cook");
  });
});
