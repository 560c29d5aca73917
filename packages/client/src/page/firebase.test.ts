import * as firebase from "firebase/messaging";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MessagingError } from "../errors.ts";
import { fakeBrowser } from "../test/browser.ts";
import { fromFirebase } from "./firebase.ts";

// The real package runs in a real browser, in e2e.
vi.mock("firebase/messaging", () => ({
  getToken: vi.fn(),
  deleteToken: vi.fn(),
  onMessage: vi.fn(),
}));
const { getToken, deleteToken, onMessage } = vi.mocked(firebase);

const vapidKey = "the-public-key";
const messagingOfFirebase = () => ({}) as firebase.Messaging;

/** As Firebase throws it: with a code. */
const firebaseError = (code: string) => Object.assign(new Error(`Messaging: ${code}`), { code });

let browser: ReturnType<typeof fakeBrowser>;
beforeEach(() => {
  browser = fakeBrowser();
  getToken.mockReset().mockResolvedValue("firebase-token");
  deleteToken.mockReset().mockResolvedValue(true);
  onMessage.mockReset().mockReturnValue(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function adapted(options = {}) {
  const messaging = fromFirebase(messagingOfFirebase(), { vapidKey, ...options });
  if (!messaging) throw new Error("Messaging is not available");
  return messaging;
}

describe("fromFirebase", () => {
  it("is null where push cannot be offered, and for null", () => {
    expect(fromFirebase(null, { vapidKey })).toBe(null);
    expect(fromFirebase(messagingOfFirebase(), { vapidKey: "" })).toBe(null);
    vi.stubGlobal("location", new URL("http://localhost/"));
    expect(fromFirebase(messagingOfFirebase(), { vapidKey })).toBe(null);
    expect(fromFirebase(messagingOfFirebase(), { vapidKey, allowLoopback: true })).not.toBe(null);
    vi.stubGlobal("location", new URL("http://loja.example/"));
    expect(fromFirebase(messagingOfFirebase(), { vapidKey, allowLoopback: true })).toBe(null);
    vi.stubGlobal("location", new URL("https://loja.example/"));
    vi.stubGlobal("navigator", Object.assign(navigator, { userAgent: "iPhone" }));
    expect(fromFirebase(messagingOfFirebase(), { vapidKey })).toBe(null);
    Object.assign(navigator, { standalone: true });
    const fromHomeScreen = { vapidKey, appleDevices: "home-screen" } as const;
    expect(fromFirebase(messagingOfFirebase(), fromHomeScreen)).not.toBe(null);
    vi.stubGlobal("window", undefined);
    expect(fromFirebase(messagingOfFirebase(), { vapidKey })).toBe(null);
  });

  it("is null if the browser throws where its workers are asked for", () => {
    Object.defineProperty(navigator, "serviceWorker", {
      get() {
        throw new DOMException("no", "SecurityError");
      },
    });
    expect(fromFirebase(messagingOfFirebase(), { vapidKey })).toBe(null);
  });

  it("uses its own key if code without types passes no request", async () => {
    const messaging = adapted();
    for (const request of [undefined, null, {}]) {
      await expect(messaging.getToken(request as never)).resolves.toBe("firebase-token");
    }
    for (const [, asked] of getToken.mock.calls) expect(asked).toEqual({ vapidKey });
    await expect(messaging.deleteToken(null as never)).resolves.toBe(true);
  });

  it.each([
    ["text for Firebase's object", "messaging", { vapidKey }],
    ["null for options", messagingOfFirebase(), null],
    ["no options", messagingOfFirebase(), undefined],
    ["a key that is no text", messagingOfFirebase(), { vapidKey: Symbol("B") }],
  ])("is null with %s, and throws nothing", (_what, messaging, options) => {
    expect(fromFirebase(messaging as never, options as never)).toBe(null);
  });

  it("gives the same object for the same, so that a page asks once on load", () => {
    const one = messagingOfFirebase();
    const messaging = fromFirebase(one, { vapidKey });
    expect(fromFirebase(one, { vapidKey })).toBe(messaging);
    expect(fromFirebase(one, { vapidKey: "another" })?.vapidKey).toBe("another");
    expect(fromFirebase(messagingOfFirebase(), { vapidKey })).not.toBe(messaging);
  });
});

describe("getToken", () => {
  it("asks Firebase with the key", async () => {
    const one = messagingOfFirebase();
    const messaging = fromFirebase(one, { vapidKey });
    expect(messaging?.vapidKey).toBe(vapidKey);
    await expect(messaging?.getToken({ vapidKey })).resolves.toBe("firebase-token");
    expect(getToken.mock.calls).toEqual([[one, { vapidKey }]]);
  });

  it.each(["denied", "default"] as const)("is none where permission is %s", async (answer) => {
    browser.notification.permission = "default";
    browser.notification.requestPermission.mockResolvedValue(answer);
    await expect(adapted().getToken({ vapidKey })).resolves.toBe(null);
    expect(getToken).not.toHaveBeenCalled();
  });

  it.each([
    firebaseError("messaging/permission-blocked"),
    firebaseError("messaging/permission-default"),
    new DOMException("no gesture", "NotAllowedError"),
  ])("is none for %o", async (refusal) => {
    getToken.mockRejectedValue(refusal);
    await expect(adapted().getToken({ vapidKey })).resolves.toBe(null);
  });

  it("is none for Firebase's empty token", async () => {
    getToken.mockResolvedValue("");
    await expect(adapted().getToken({ vapidKey })).resolves.toBe(null);
  });

  it.each([
    firebaseError("messaging/token-subscribe-failed"),
    firebaseError("messaging/failed-service-worker-registration"),
    new DOMException("push service error", "AbortError"),
    new TypeError("Failed to fetch"),
  ])("hands on %o, and can be asked again", async (failure) => {
    getToken.mockRejectedValueOnce(failure);
    const messaging = adapted();
    await expect(messaging.getToken({ vapidKey })).rejects.toBe(failure);
    await expect(messaging.getToken({ vapidKey })).resolves.toBe("firebase-token");
  });

  it("shares what runs", async () => {
    const messaging = adapted();
    const both = [messaging.getToken({ vapidKey }), messaging.getToken({ vapidKey })];
    await expect(Promise.all(both)).resolves.toEqual(["firebase-token", "firebase-token"]);
    expect(getToken).toHaveBeenCalledOnce();
  });

  it("runs its clock from the permission on, and hands on what comes late", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const question = Promise.withResolvers<NotificationPermission>();
    browser.notification.permission = "default";
    browser.notification.requestPermission.mockReturnValue(question.promise);
    const token = Promise.withResolvers<string>();
    getToken.mockReturnValue(token.promise);
    let outcome: unknown = "open";
    adapted()
      .getToken({ vapidKey })
      .catch((error: unknown) => (outcome = error));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(outcome).toBe("open");
    question.resolve("granted");
    await vi.advanceTimersByTimeAsync(19_999);
    expect(outcome).toBe("open");
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toMatchObject({ code: "token-timeout" });
    token.resolve("late");
    await expect((outcome as MessagingError).late).resolves.toBe("late");
  });
});

it("leaves through Firebase", async () => {
  const one = messagingOfFirebase();
  await expect(fromFirebase(one, { vapidKey })?.deleteToken()).resolves.toBe(true);
  expect(deleteToken.mock.calls).toEqual([[one]]);
});

it("ends the subscription where Firebase refuses to delete the token, and rejects if there is none", async () => {
  const refusal = firebaseError("messaging/token-unsubscribe-failed");
  deleteToken.mockRejectedValue(refusal);
  const messaging = adapted();
  await expect(messaging.deleteToken()).rejects.toBe(refusal);
  await browser.serviceWorker.register("/firebase-messaging-sw.js", { scope: "/" });
  await browser.pushManager.subscribe({ applicationServerKey: vapidKey });
  await expect(messaging.deleteToken()).resolves.toBe(true);
  expect(await browser.pushManager.getSubscription()).toBe(null);
});

describe("onMessage", () => {
  const payload: firebase.MessagePayload = {
    from: "1",
    collapseKey: "",
    messageId: "m1",
    notification: { title: "Promoção", body: "Só hoje", icon: "https://loja.example/icone.png" },
    fcmOptions: { link: "https://loja.example/promo" },
  };

  /** What Firebase calls when a message arrives while the page is in sight. */
  async function arrive(message: firebase.MessagePayload) {
    const next = onMessage.mock.lastCall?.[1];
    if (typeof next !== "function") throw new Error("Nobody listens");
    next(message);
    // Each listener is told by itself.
    await Promise.resolve();
  }

  it("makes a notice of a notification message, and nothing of a data message", async () => {
    const heard = vi.fn();
    adapted().onMessage(heard);
    await arrive({ ...payload, data: { order: "42" } });
    await arrive({ ...payload, notification: {}, fcmOptions: {} });
    const { notification: _none, ...data } = payload;
    await arrive({ ...data, data: { answer: "42" } });
    expect(heard.mock.calls).toEqual([
      [
        {
          id: "m1",
          title: "Promoção",
          body: "Só hoje",
          navigate: "https://loja.example/promo",
          icon: "https://loja.example/icone.png",
          data: { order: "42" },
          receivedAtMs: expect.any(Number),
        },
      ],
      [expect.objectContaining({ title: "", navigate: "https://loja.example/" })],
    ]);
  });

  it("tells every listener, though Firebase has room for one, until each is let go", async () => {
    const end = vi.fn();
    onMessage.mockReturnValue(end);
    const messaging = adapted();
    const heard = vi.fn();
    const endFirst = messaging.onMessage(heard);
    const endSecond = messaging.onMessage(heard);
    expect(onMessage).toHaveBeenCalledOnce();
    await arrive(payload);
    expect(heard).toHaveBeenCalledTimes(2);
    endFirst();
    endFirst();
    await arrive(payload);
    expect(heard).toHaveBeenCalledTimes(3);
    expect(end).not.toHaveBeenCalled();
    endSecond();
    endSecond();
    expect(end).toHaveBeenCalledOnce();
    messaging.onMessage(heard);
    expect(onMessage).toHaveBeenCalledTimes(2);
  });
});

describe("deleteToken with stayOff", () => {
  const stayOff = true;
  const load = { vapidKey, confirm: false };

  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    });
  });

  it("deletes the token, and no later load asks Firebase, until a click does", async () => {
    await expect(adapted().deleteToken({ stayOff })).resolves.toBe(true);
    for (const _twice of [1, 2]) await expect(adapted().getToken(load)).resolves.toBe(null);
    expect(getToken).not.toHaveBeenCalled();
    expect(deleteToken).toHaveBeenCalledOnce();
    await expect(adapted().getToken({ vapidKey })).resolves.toBe("firebase-token");
    await expect(adapted().getToken(load)).resolves.toBe("firebase-token");
  });

  it("is not meant by deleteToken alone: the next load asks Firebase", async () => {
    await adapted().deleteToken();
    await expect(adapted().getToken(load)).resolves.toBe("firebase-token");
  });

  it("is about one VAPID key, which each project of Firebase has for itself", async () => {
    await adapted().deleteToken({ stayOff });
    const other = adapted({ vapidKey: "another" });
    await expect(other.getToken({ vapidKey: "another", confirm: false })).resolves.not.toBe(null);
  });

  it("is completed by the next load if the page ends in the middle", async () => {
    deleteToken.mockReturnValueOnce(new Promise(() => undefined));
    void adapted().deleteToken({ stayOff });
    await expect(adapted().getToken(load)).resolves.toBe(null);
    await expect(adapted().getToken(load)).resolves.toBe(null);
    expect(deleteToken).toHaveBeenCalledTimes(2);
    expect(getToken).not.toHaveBeenCalled();
  });

  it("wins over a token that arrives after it, and not over a click that came after it", async () => {
    const answer = Promise.withResolvers<string>();
    getToken.mockReturnValueOnce(answer.promise);
    const loading = adapted().getToken(load);
    await adapted().deleteToken({ stayOff });
    answer.resolve("late");
    await expect(loading).resolves.toBe(null);
    expect(deleteToken).toHaveBeenCalledTimes(2);

    const deletion = Promise.withResolvers<boolean>();
    deleteToken.mockReturnValueOnce(deletion.promise);
    const leaving = adapted().deleteToken({ stayOff });
    const click = adapted().getToken({ vapidKey });
    deletion.resolve(true);
    await leaving;
    await expect(click).resolves.toBe("firebase-token");
    await expect(adapted().getToken(load)).resolves.toBe("firebase-token");
  });

  const refuse = () => {
    throw new DOMException("no", "SecurityError");
  };
  it.each([
    ["refuses", { get: refuse }],
    ["is null", { value: null }],
    [
      "refuses to be read and written",
      { value: { getItem: refuse, setItem: refuse, removeItem: refuse } },
    ],
    ["is full", { value: { getItem: () => null, setItem: refuse, removeItem: () => undefined } }],
  ])("lasts for the page load where the browser's storage %s", async (_how, storage) => {
    vi.stubGlobal("localStorage", undefined);
    Object.defineProperty(globalThis, "localStorage", { ...storage, configurable: true });
    const messaging = adapted();
    await messaging.deleteToken({ stayOff });
    await expect(messaging.getToken(load)).resolves.toBe(null);
    await expect(messaging.getToken({ vapidKey })).resolves.toBe("firebase-token");
    await expect(messaging.getToken(load)).resolves.toBe("firebase-token");
  });

  it("outlives a click without permission", async () => {
    const messaging = adapted();
    await messaging.deleteToken({ stayOff });
    vi.stubGlobal("Notification", { permission: "denied" });
    await expect(messaging.getToken({ vapidKey })).resolves.toBe(null);
    vi.stubGlobal("Notification", { permission: "granted" });
    await expect(messaging.getToken(load)).resolves.toBe(null);
  });
});
