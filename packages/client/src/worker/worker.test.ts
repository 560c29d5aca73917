import { limits } from "@sineta/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { oneAfterTheOther } from "../lock.ts";
import { addressQuestion } from "../shown-address.ts";
import {
  handleNotificationClick,
  handleNotificationClose,
  handlePush,
  handleSubscriptionChange,
} from "./index.ts";

const scope = "https://loja.example/sineta-push-scope/";
const sineta = { messageId: "m1", receiptKey: "k1" };
const actions = [
  { action: "1", title: "Ver", navigate: "https://loja.example/ver" },
  { action: "2", title: "Depois", navigate: "https://loja.example/depois" },
];
const payload = {
  web_push: 8030,
  mutable: true,
  notification: {
    title: "Promoção",
    body: "Só hoje",
    navigate: "https://loja.example/promo",
    icon: "https://loja.example/icone.png",
    tag: "m1",
    data: { sineta },
  },
};
const push = pushOf(JSON.stringify(payload));
const notice = {
  id: "m1",
  title: "Promoção",
  body: "Só hoje",
  navigate: "https://loja.example/promo",
  icon: "https://loja.example/icone.png",
  data: {},
  receivedAtMs: 1000,
};

type Tab = {
  /** What it answers: the address that it shows, or true while it is prerendered. Without Sineta it does not answer: null. */
  shows: string | true | null;
  /** The address that its page was made with, if it shows another now. */
  madeAt?: string;
  frameType?: FrameType;
  /** It has two messaging objects, and each of them answers. */
  answersTwice?: boolean;
  answersAfterMs?: number;
  /** The browser refuses to bring it forward. */
  refuses?: boolean;
};

/** What a worker has around it: fakes, because the real worker runs in e2e. */
function worker({ tabs = [] as Tab[], mustAlwaysShow = false } = {}) {
  const kept = new Map<string, unknown>();
  const focused: string[] = [];
  const done: string[] = [];
  const clientsThere = tabs.map(({ frameType = "top-level", ...tab }) => ({
    url: tab.madeAt ?? tab.shows,
    frameType,
    postMessage(question: unknown, [port]: MessagePort[]) {
      expect(question).toBe(addressQuestion);
      const answer = () => port?.postMessage(tab.shows);
      if (tab.answersAfterMs) setTimeout(answer, tab.answersAfterMs);
      else if (tab.shows !== null) answer();
      if (tab.answersTwice) answer();
    },
    async focus() {
      if (tab.refuses) throw new TypeError("Failed to focus the client.");
      focused.push(String(tab.shows));
    },
  }));
  return {
    kept,
    focused,
    /** What was done, in its order. */
    done,
    registration: {
      scope,
      showNotification: vi.fn(async (_title: string, _options?: object) => void done.push("shown")),
    },
    clients: {
      matchAll: vi.fn(async () => clientsThere as never),
      openWindow: vi.fn(async (_url: string | URL) => {
        done.push("opened");
        return null;
      }),
    },
    notices: {
      has: async (id: string) => kept.has(id),
      keep: async (one: { id: string }) => void kept.set(one.id, one),
    },
    oneAfterTheOther,
    report: vi.fn(
      async (event: string, _source?: object, _action?: string) => void done.push(event),
    ),
    clicked: new Set<string | undefined>(),
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
  await Promise.all(waits);
}

function pushOf(text: string) {
  return { data: { json: () => JSON.parse(text) } };
}

describe("push", () => {
  it("shows the notification with its words, and keeps it as a notice", async () => {
    const here = worker();
    await dispatched(handlePush, push, here);
    expect(here.registration.showNotification.mock.calls).toEqual([
      [
        "Promoção",
        {
          body: "Só hoje",
          icon: "https://loja.example/icone.png",
          tag: "m1",
          silent: false,
          actions: undefined,
          data: { navigate: "https://loja.example/promo", actions: undefined, sineta },
        },
      ],
    ]);
    expect([...here.kept.values()]).toEqual([notice]);
  });

  it("reports that it was displayed, once it is shown and kept", async () => {
    const here = worker();
    here.report.mockImplementation(async (event) => {
      expect(here.kept.has("m1")).toBe(true);
      here.done.push(event);
    });
    await dispatched(handlePush, push, here);
    expect(here.done).toEqual(["shown", "displayed"]);
    expect(here.report.mock.calls).toEqual([["displayed", sineta]]);
  });

  it("shows picture and actions, and gives the notification all that a click needs", async () => {
    const here = worker();
    const image = "https://loja.example/foto.jpg";
    const rich = { ...payload, notification: { ...payload.notification, image, actions } };
    await dispatched(handlePush, pushOf(JSON.stringify(rich)), here);
    expect(here.registration.showNotification.mock.lastCall?.[1]).toEqual({
      body: "Só hoje",
      icon: "https://loja.example/icone.png",
      image,
      tag: "m1",
      silent: false,
      actions: [
        { action: "1", title: "Ver" },
        { action: "2", title: "Depois" },
      ],
      data: { navigate: "https://loja.example/promo", actions, sineta },
    });
  });

  it.each([
    ["badge", "https://loja.example/sino.png"],
    ["image", "https://loja.example/foto.jpg"],
    ["tag", "pão"],
    ["renotify", true],
    ["silent", true],
    ["requireInteraction", true],
    ["lang", "pt-BR"],
    ["dir", "rtl"],
    ["timestamp", 1_796_126_400_000],
  ])("hands %s on to the browser as it came", async (field, value) => {
    const here = worker();
    const rich = { ...payload, notification: { ...payload.notification, [field]: value } };
    await dispatched(handlePush, pushOf(JSON.stringify(rich)), here);
    expect(here.registration.showNotification.mock.lastCall?.[1]).toEqual({
      body: "Só hoje",
      icon: "https://loja.example/icone.png",
      tag: "m1",
      silent: false,
      data: { navigate: "https://loja.example/promo", sineta },
      [field]: value,
    });
  });

  it("gives the page the message's own data, and a click what is ours", async () => {
    const here = worker();
    const own = { order: { id: 42 }, navigate: "javascript:alert(1)", actions: [1] };
    const withData = {
      ...payload,
      notification: { ...payload.notification, actions, data: { ...own, sineta } },
    };
    await dispatched(handlePush, pushOf(JSON.stringify(withData)), here);
    expect(here.kept.get("m1")).toEqual({ ...notice, data: own });
    expect(here.registration.showNotification.mock.lastCall?.[1]).toMatchObject({
      data: {
        order: { id: 42 },
        navigate: "https://loja.example/promo",
        actions,
        sineta,
      },
    });
  });

  it("keeps the direction that the notification says", async () => {
    const here = worker();
    const toLeft = { ...payload, notification: { ...payload.notification, dir: "rtl" } };
    await dispatched(handlePush, pushOf(JSON.stringify(toLeft)), here);
    expect(here.kept.get("m1")).toEqual({ ...notice, dir: "rtl" });
  });

  it("shows the longest payload whole", async () => {
    const here = worker();
    const { notification } = payload;
    const bare = JSON.stringify({ ...payload, notification: { ...notification, body: "" } });
    const body = "a".repeat(limits.plaintextBytes - Buffer.byteLength(bare));
    const longest = JSON.stringify({ ...payload, notification: { ...notification, body } });
    expect(Buffer.byteLength(longest)).toBe(3993);
    await dispatched(handlePush, pushOf(longest), here);
    expect(here.registration.showNotification.mock.lastCall?.[1]).toMatchObject({ body });
    expect(here.kept.get("m1")).toMatchObject({ body });
  });

  it("drops what it has shown before", async () => {
    const here = worker();
    await dispatched(handlePush, push, here);
    await dispatched(handlePush, push, here);
    expect(here.registration.showNotification).toHaveBeenCalledOnce();
    expect(here.report).toHaveBeenCalledOnce();
  });

  it("shows once what arrives twice at the same time", async () => {
    const here = worker();
    await Promise.all([
      dispatched(handlePush, push, here),
      dispatched(handlePush, push, here),
      dispatched(handlePush, push, here),
    ]);
    expect(here.done).toEqual(["shown", "displayed"]);
  });

  it("waits for no other message", async () => {
    const here = worker();
    const showing = Promise.withResolvers<undefined>();
    here.registration.showNotification.mockReturnValueOnce(showing.promise);
    const slow = dispatched(handlePush, push, here);
    const other = { ...payload.notification, data: { sineta: { ...sineta, messageId: "m2" } } };
    await dispatched(handlePush, pushOf(JSON.stringify({ ...payload, notification: other })), here);
    expect([...here.kept.keys()]).toEqual(["m2"]);
    showing.resolve(undefined);
    await slow;
    expect([...here.kept.keys()]).toEqual(["m2", "m1"]);
  });

  it("shows it again, silently, where every push must show something", async () => {
    const here = worker({ mustAlwaysShow: true });
    await dispatched(handlePush, push, here);
    await dispatched(handlePush, push, here);
    expect(here.registration.showNotification).toHaveBeenCalledTimes(2);
    expect(here.registration.showNotification.mock.lastCall).toMatchObject([
      "Promoção",
      { tag: "m1", silent: true },
    ]);
    expect(here.kept.size).toBe(1);
    expect(here.report).toHaveBeenCalledOnce();
  });

  it("shows also when the database cannot be read", async () => {
    const here = worker();
    here.notices.has = () => Promise.reject(new Error("broken"));
    await dispatched(handlePush, push, here);
    expect(here.registration.showNotification).toHaveBeenCalledOnce();
  });

  it("keeps and reports nothing that was not shown, and shows it when it comes again", async () => {
    const here = worker();
    for (const _twice of [1, 2]) {
      here.registration.showNotification.mockRejectedValueOnce(new TypeError("no permission"));
    }
    await expect(dispatched(handlePush, push, here)).rejects.toThrow("no permission");
    expect(here.kept.size).toBe(0);
    expect(here.done).toEqual([]);
    await dispatched(handlePush, push, here);
    expect(here.done).toEqual(["shown", "displayed"]);
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
    expect(here.registration.showNotification.mock.calls).toEqual([["Nova notificação"]]);
    expect(here.kept.size).toBe(0);
    expect(here.report).not.toHaveBeenCalled();
  });
});

/** An event on a notification as the browser tells of it: also to a worker that has started only now. */
function eventOn(data: unknown, action = "") {
  return { action, notification: { close: vi.fn(), data: structuredClone(data) } };
}

const data = { navigate: "https://loja.example/promo", actions, sineta };

describe("a click on the notification", () => {
  afterEach(() => void vi.useRealTimers());

  const promo = "https://loja.example/promo";

  it("closes it and opens its address as soon as each tab has named another", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const here = worker({ tabs: [{ shows: "https://loja.example/" }] });
    const event = eventOn(data);
    await dispatched(handleNotificationClick, event, here);
    expect(event.notification.close).toHaveBeenCalledOnce();
    expect(here.clients.openWindow.mock.calls).toEqual([["https://loja.example/promo"]]);
    expect(here.focused).toEqual([]);
  });

  it("opens the address of the action that was clicked", async () => {
    const here = worker();
    await dispatched(handleNotificationClick, eventOn(data, "2"), here);
    expect(here.clients.openWindow.mock.calls).toEqual([["https://loja.example/depois"]]);
    expect(here.report.mock.calls).toEqual([["clicked", sineta, "2"]]);
  });

  it("is reported after the window was asked for, and does not wait for it", async () => {
    const here = worker();
    const opening = Promise.withResolvers<null>();
    here.clients.openWindow.mockImplementation(() => {
      here.done.push("opened");
      return opening.promise;
    });
    const reported = Promise.withResolvers<void>();
    here.report.mockImplementation(async (event) => {
      here.done.push(event);
      reported.resolve();
    });
    const handled = dispatched(handleNotificationClick, eventOn(data), here);
    await reported.promise;
    expect(here.done).toEqual(["opened", "clicked"]);
    expect(here.report.mock.calls).toEqual([["clicked", sineta, undefined]]);
    opening.resolve(null);
    await handled;
  });

  it("comes back to the tab that shows it already", async () => {
    const here = worker({ tabs: [{ shows: "https://loja.example/" }, { shows: promo }] });
    await dispatched(handleNotificationClick, eventOn(data), here);
    expect(here.focused).toEqual([promo]);
    expect(here.clients.openWindow).not.toHaveBeenCalled();
    expect(here.clients.matchAll).toHaveBeenCalledWith({
      type: "window",
      includeUncontrolled: true,
    });
  });

  it("comes back to the tab that has moved on to it by itself", async () => {
    const here = worker({ tabs: [{ shows: promo, madeAt: "https://loja.example/" }] });
    await dispatched(handleNotificationClick, eventOn(data), here);
    expect(here.focused).toEqual([promo]);
    expect(here.clients.openWindow).not.toHaveBeenCalled();
  });

  it.each<[string, Tab]>([
    ["a tab has moved on from it", { shows: "https://loja.example/conta", madeAt: promo }],
    ["nothing but a frame shows it", { shows: promo, frameType: "nested" }],
    ["a page is only prerendered", { shows: true, madeAt: promo }],
    ["Firefox does not bring the tab forward", { shows: promo, refuses: true }],
  ])("opens its address if %s", async (_what, tab) => {
    const here = worker({ tabs: [tab] });
    await dispatched(handleNotificationClick, eventOn(data), here);
    expect(here.clients.openWindow.mock.calls).toEqual([[promo]]);
    expect(here.focused).toEqual([]);
  });

  it("waits for a slower tab while another one answers twice", async () => {
    const quick = { shows: "https://loja.example/conta", answersTwice: true };
    const here = worker({ tabs: [quick, { shows: promo, answersAfterMs: 50 }] });
    await dispatched(handleNotificationClick, eventOn(data), here);
    expect(here.focused).toEqual([promo]);
    expect(here.clients.openWindow).not.toHaveBeenCalled();
  });

  it("waits half a second for a tab that does not answer, and opens the address then", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const here = worker({ tabs: [{ shows: null, madeAt: promo }] });
    const handled = dispatched(handleNotificationClick, eventOn(data), here);
    await vi.advanceTimersByTimeAsync(499);
    expect(here.done).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await handled;
    expect(here.done).toEqual(["opened", "clicked"]);
    expect(here.focused).toEqual([]);
  });

  it("waits half a second for the browser's list of tabs and their answers together", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const here = worker();
    here.clients.matchAll.mockReturnValue(new Promise(() => {}));
    const handled = dispatched(handleNotificationClick, eventOn(data), here);
    await vi.advanceTimersByTimeAsync(500);
    await handled;
    expect(here.done).toEqual(["opened", "clicked"]);
  });

  it("does not wait for a tab that does not answer once another shows the address", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const here = worker({ tabs: [{ shows: null }, { shows: promo }] });
    await dispatched(handleNotificationClick, eventOn(data), here);
    expect(here.focused).toEqual([promo]);
  });

  it("asks no tab about an address of another origin", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const here = worker({ tabs: [{ shows: null }] });
    const elsewhere = { ...data, navigate: "https://outra.example/promo" };
    await dispatched(handleNotificationClick, eventOn(elsewhere), here);
    expect(here.clients.openWindow.mock.calls).toEqual([["https://outra.example/promo"]]);
  });

  it.each([
    ["nothing is known", null],
    ["nothing but the address is known, as of an earlier version", { navigate: "/" }],
  ])("opens the start page where %s", async (_what, known) => {
    const here = worker();
    await dispatched(handleNotificationClick, eventOn(known), here);
    expect(here.clients.openWindow.mock.calls).toEqual([["https://loja.example/"]]);
  });

  it("opens nothing but web pages", async () => {
    const here = worker();
    await dispatched(handleNotificationClick, eventOn({ navigate: "javascript:alert(1)" }), here);
    expect(here.clients.openWindow).not.toHaveBeenCalled();
  });
});

describe("closing the notification", () => {
  it("is reported", async () => {
    const here = worker();
    await dispatched(handleNotificationClose, eventOn(data), here);
    expect(here.report.mock.calls).toEqual([["closed", sineta]]);
  });

  it("is not reported where it was clicked: Firefox tells of that as well", async () => {
    const here = worker();
    await dispatched(handleNotificationClick, eventOn(data), here);
    await dispatched(handleNotificationClose, eventOn(data), here);
    const other = { ...data, sineta: { ...sineta, messageId: "m2" } };
    await dispatched(handleNotificationClose, eventOn(other), here);
    expect(here.report.mock.calls).toEqual([
      ["clicked", sineta, undefined],
      ["closed", other.sineta],
    ]);
  });
});

it("renews the registrations when the browser changes its subscription", async () => {
  const here = worker();
  await dispatched(handleSubscriptionChange, {}, here);
  expect(here.renewRegistrations).toHaveBeenCalledOnce();
});
