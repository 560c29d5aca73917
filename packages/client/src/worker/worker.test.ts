import { describe, expect, it, vi } from "vitest";
import { handleNotificationClick, handlePush, handleSubscriptionChange } from "./index.ts";

const scope = "https://loja.example/sineta-push-scope/";
const payload = {
  web_push: 8030,
  mutable: true,
  notification: {
    title: "Promoção",
    body: "Só hoje",
    navigate: "https://loja.example/promo",
    icon: "https://loja.example/icone.png",
    tag: "m1",
    data: { sineta: { messageId: "m1" } },
  },
};
const notice = {
  id: "m1",
  title: "Promoção",
  body: "Só hoje",
  navigate: "https://loja.example/promo",
  icon: "https://loja.example/icone.png",
  receivedAtMs: 1000,
};

/** What a worker has around it: fakes, because the real worker runs in e2e. */
function worker({ tabs = [] as string[], mustAlwaysShow = false } = {}) {
  const kept = new Map<string, unknown>();
  const focused: string[] = [];
  const clientsThere = tabs.map((url) => ({ url, focus: async () => void focused.push(url) }));
  return {
    kept,
    focused,
    registration: { scope, showNotification: vi.fn(async () => undefined) },
    clients: {
      matchAll: vi.fn(async () => clientsThere as never),
      openWindow: vi.fn(async (_url: string | URL) => null),
    },
    notices: {
      has: async (id: string) => kept.has(id),
      keep: async (one: { id: string }) => void kept.set(one.id, one),
    },
    renewRegistrations: vi.fn(async () => undefined),
    nowMs: () => 1000,
    mustAlwaysShow,
  };
}

/** Runs a handler as the browser does, and waits for what it asked to be waited for. */
async function dispatched(
  handle: (event: never, dependencies: ReturnType<typeof worker>) => void,
  event: object,
  dependencies: ReturnType<typeof worker>,
) {
  const waits: Promise<unknown>[] = [];
  const extendable = { ...event, waitUntil: (work: Promise<unknown>) => waits.push(work) };
  handle(extendable as never, dependencies);
  expect(waits).toHaveLength(1);
  await Promise.all(waits);
}

const pushOf = (text: string) => ({ data: { json: () => JSON.parse(text) } });

describe("push", () => {
  it("shows the notification with its words, and keeps it as a notice", async () => {
    const here = worker();
    await dispatched(handlePush, pushOf(JSON.stringify(payload)), here);
    expect(here.registration.showNotification.mock.calls).toEqual([
      [
        "Promoção",
        {
          body: "Só hoje",
          icon: "https://loja.example/icone.png",
          tag: "m1",
          silent: false,
          data: { navigate: "https://loja.example/promo" },
        },
      ],
    ]);
    expect([...here.kept.values()]).toEqual([notice]);
  });

  it("drops what it has shown before", async () => {
    const here = worker();
    await dispatched(handlePush, pushOf(JSON.stringify(payload)), here);
    await dispatched(handlePush, pushOf(JSON.stringify(payload)), here);
    expect(here.registration.showNotification).toHaveBeenCalledOnce();
  });

  it("shows it again, silently, where every push must show something", async () => {
    const here = worker({ mustAlwaysShow: true });
    await dispatched(handlePush, pushOf(JSON.stringify(payload)), here);
    await dispatched(handlePush, pushOf(JSON.stringify(payload)), here);
    expect(here.registration.showNotification).toHaveBeenCalledTimes(2);
    expect(here.registration.showNotification.mock.lastCall).toMatchObject([
      "Promoção",
      { tag: "m1", silent: true },
    ]);
    expect(here.kept.size).toBe(1);
  });

  it("shows also when the database cannot be read", async () => {
    const here = worker();
    here.notices.has = () => Promise.reject(new Error("broken"));
    await dispatched(handlePush, pushOf(JSON.stringify(payload)), here);
    expect(here.registration.showNotification).toHaveBeenCalledOnce();
  });

  it("keeps nothing that was not shown", async () => {
    const here = worker();
    here.registration.showNotification.mockRejectedValue(new TypeError("no permission"));
    await expect(dispatched(handlePush, pushOf(JSON.stringify(payload)), here)).rejects.toThrow(
      "no permission",
    );
    expect(here.kept.size).toBe(0);
  });

  it.each([
    ["nothing", { data: null }],
    ["no JSON", pushOf("Olá")],
    ["null", pushOf("null")],
    ["somebody else's JSON", pushOf('{"notification":{"title":"x"}}')],
    [
      "a title that is no text",
      pushOf('{"notification":{"title":1,"data":{"sineta":{"messageId":"m"}}}}'),
    ],
  ])("shows a plain notification for a push that carries %s", async (_what, event) => {
    const here = worker();
    await dispatched(handlePush, event, here);
    expect(here.registration.showNotification.mock.calls).toEqual([
      ["Nova notificação", { tag: "", silent: false, data: { navigate: "https://loja.example/" } }],
    ]);
    expect(here.kept.size).toBe(0);
  });
});

describe("a click on the notification", () => {
  const clickOn = (data: unknown) => ({ notification: { close: vi.fn(), data } });

  it("closes it and opens its address", async () => {
    const here = worker({ tabs: ["https://loja.example/"] });
    const event = clickOn({ navigate: "https://loja.example/promo" });
    await dispatched(handleNotificationClick, event, here);
    expect(event.notification.close).toHaveBeenCalledOnce();
    expect(here.clients.openWindow.mock.calls).toEqual([["https://loja.example/promo"]]);
    expect(here.focused).toEqual([]);
  });

  it("comes back to the tab that shows it already", async () => {
    const here = worker({ tabs: ["https://loja.example/", "https://loja.example/promo"] });
    await dispatched(
      handleNotificationClick,
      clickOn({ navigate: "https://loja.example/promo" }),
      here,
    );
    expect(here.focused).toEqual(["https://loja.example/promo"]);
    expect(here.clients.openWindow).not.toHaveBeenCalled();
    expect(here.clients.matchAll).toHaveBeenCalledWith({
      type: "window",
      includeUncontrolled: true,
    });
  });

  it("opens the start page where there is no address", async () => {
    const here = worker();
    await dispatched(handleNotificationClick, clickOn(null), here);
    expect(here.clients.openWindow.mock.calls).toEqual([["https://loja.example/"]]);
  });

  it("opens nothing but web pages", async () => {
    const here = worker();
    await dispatched(handleNotificationClick, clickOn({ navigate: "javascript:alert(1)" }), here);
    expect(here.clients.openWindow).not.toHaveBeenCalled();
  });
});

it("renews the registrations when the browser changes its subscription", async () => {
  const here = worker();
  await dispatched(handleSubscriptionChange, {}, here);
  expect(here.renewRegistrations).toHaveBeenCalledOnce();
});
