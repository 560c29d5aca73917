import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeBrowser, requests, sentBody, sentSecret } from "../test/browser.ts";
import { loadPage, vapidKey } from "../test/page.ts";

const registrations = "https://loja.example/v1/projects/default/registrations";

let browser: ReturnType<typeof fakeBrowser>;
beforeEach(() => {
  browser = fakeBrowser();
});
afterEach(() => void vi.unstubAllGlobals());

type Page = Awaited<ReturnType<typeof loadPage>>;
const calls: [string, (page: Page) => Promise<void>][] = [
  ["joinTopic", (page) => page.joinTopic("ofertas")],
  ["leaveTopic", (page) => page.leaveTopic("ofertas")],
  ["setUser", (page) => page.setUser("jwt")],
];

async function pageWithToken() {
  const page = await loadPage();
  await page.getToken({ vapidKey });
  return page;
}

const noContent = () => new Response(null, { status: 204 });

it("joins and leaves a topic with the client secret", async () => {
  const page = await pageWithToken();
  browser.fetch.mockImplementation(async () => noContent());
  await page.joinTopic("ofertas");
  await page.leaveTopic("~a.b_C-9");
  expect(requests(browser.fetch).slice(1)).toEqual([
    `PUT ${registrations}/token-1/topics/ofertas`,
    `DELETE ${registrations}/token-1/topics/~a.b_C-9`,
  ]);
  for (const sent of [1, 2]) {
    expect(sentSecret(browser.fetch, sent)).toBe(sentSecret(browser.fetch, 0));
  }
});

it.each<[shown: string, topic: unknown, name: string]>([
  ["..", "..", "!"],
  [".", ".", "!"],
  ["an empty text", "", "!"],
  ["a/b", "a/b", "a!b"],
  ["half a character", "\ud800", "!"],
  ["a symbol", Symbol("x"), "Symbol!x!"],
])("asks for a topic that no server has if the name is %s", async (_shown, topic, name) => {
  const page = await pageWithToken();
  browser.fetch.mockImplementation(async () =>
    Response.json({ code: "topic-unknown" }, { status: 404 }),
  );
  for (const change of [page.joinTopic, page.leaveTopic]) {
    await expect(change(topic as string)).rejects.toMatchObject({
      code: "server-refused",
      problem: "topic-unknown",
    });
  }
  const address = `${registrations}/token-1/topics/${name}`;
  expect(requests(browser.fetch).slice(1)).toEqual([`PUT ${address}`, `DELETE ${address}`]);
  expect(new URL(address).href).toBe(address);
});

it("rejects, and does not throw, if the name has no text", async () => {
  const page = await pageWithToken();
  const nameless: unknown = Object.create(null);
  await expect(page.joinTopic(nameless as string)).rejects.toThrow(TypeError);
});

it("unbinds the user also if undefined is passed", async () => {
  const page = await pageWithToken();
  await page.setUser(undefined);
  expect(sentBody(browser.fetch, 1)).toHaveProperty("userToken", null);
});

it("rejects with subscribe-failed if the permission is withdrawn while it binds", async () => {
  const page = await pageWithToken();
  const cause = new DOMException("no permission", "NotAllowedError");
  browser.pushManager.subscribe.mockRejectedValueOnce(cause);
  await expect(page.setUser("jwt")).rejects.toMatchObject({ code: "subscribe-failed", cause });
});

it("binds the registration to a user, and unbinds it", async () => {
  const page = await pageWithToken();
  await page.setUser("jwt");
  await page.setUser(null);
  expect(requests(browser.fetch).slice(1)).toEqual(Array(2).fill(`POST ${registrations}`));
  expect(sentBody(browser.fetch, 0)).not.toHaveProperty("userToken");
  for (const [sent, userToken] of [
    [1, "jwt"],
    [2, null],
  ] as const) {
    expect(sentBody(browser.fetch, sent)).toMatchObject({
      userToken,
      token: "token-1",
      vapidKey,
      subscription: { endpoint: "https://push.example/1" },
    });
    expect(sentSecret(browser.fetch, sent)).toBe(sentSecret(browser.fetch, 0));
  }
  // A known browser's next request says nothing of the user, and so changes nothing.
  await page.getToken({ vapidKey });
  expect(sentBody(browser.fetch, 3)).not.toHaveProperty("userToken");
});

it("setUser subscribes anew where the push service has ended the subscription", async () => {
  const page = await pageWithToken();
  browser.fetch.mockResolvedValueOnce(
    Response.json({ code: "subscription-gone" }, { status: 409 }),
  );
  await page.setUser("jwt");
  expect(sentBody(browser.fetch, 2)).toMatchObject({
    userToken: "jwt",
    token: "token-1",
    subscription: { endpoint: "https://push.example/2" },
  });
  expect(sentSecret(browser.fetch, 2)).toBe(sentSecret(browser.fetch, 0));
});

it.each(calls)("%s is not-registered without a token, and asks nobody", async (_name, call) => {
  const page = await loadPage();
  await expect(call(page)).rejects.toMatchObject({ code: "not-registered" });
  expect(browser.fetch).not.toHaveBeenCalled();
  expect(browser.pushManager.subscribe).not.toHaveBeenCalled();
});

it.each(calls)("%s is not-registered after leaving", async (_name, call) => {
  const page = await pageWithToken();
  await page.deleteToken();
  await expect(call(page)).rejects.toMatchObject({ code: "not-registered" });
});

it.each(calls)("%s hands on the server's refusal", async (_name, call) => {
  const page = await pageWithToken();
  browser.fetch.mockImplementation(async () =>
    Response.json({ code: "topic-kept" }, { status: 403 }),
  );
  await expect(call(page)).rejects.toMatchObject({ code: "server-refused", problem: "topic-kept" });
  browser.fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(call(page)).rejects.toMatchObject({ code: "server-unreachable" });
});

it.each(calls)(
  "%s waits for a registration under way that brings the token",
  async (_name, call) => {
    const page = await loadPage();
    const answer = Promise.withResolvers<Response>();
    const arrived = Promise.withResolvers<void>();
    browser.fetch.mockImplementationOnce(() => {
      arrived.resolve();
      return answer.promise;
    });
    const asked = page.getToken({ vapidKey });
    await arrived.promise;
    const called = call(page);
    answer.resolve(Response.json({ token: "token-1" }, { status: 201 }));
    await expect(asked).resolves.toBe("token-1");
    await called;
    expect(browser.fetch).toHaveBeenCalledTimes(2);
  },
);

it("does not bind a user to a subscription that is gone or was made with another key", async () => {
  const page = await pageWithToken();
  const subscription = await browser.pushManager.getSubscription();
  await subscription?.unsubscribe();
  await expect(page.setUser("jwt")).rejects.toMatchObject({ code: "not-registered" });
  await browser.pushManager.subscribe({ applicationServerKey: `B${"Q".repeat(85)}A` });
  await expect(page.setUser("jwt")).rejects.toMatchObject({ code: "not-registered" });
  expect(browser.fetch).toHaveBeenCalledOnce();
});
