import { beforeEach, describe, expect, it, vi } from "vitest";
import { MessagingError } from "../errors.ts";
import type { Healing, Loss } from "../loss.ts";
import type { Messaging, TokenRequest } from "./messaging.ts";
import { notificationsOf } from "./notifications.ts";

const noTokenLine = "No registration token available. Request permission to generate one.";
const failedLine = "An error occurred while retrieving token.";

/** A messaging object whose answers the test gives, in the order of the requests. */
function messagingUnderTest() {
  const answers: PromiseWithResolvers<string | null>[] = [];
  const requests: TokenRequest[] = [];
  const messaging: Messaging = {
    vapidKey: "the-public-key",
    getToken(request) {
      requests.push(request);
      const answer = Promise.withResolvers<string | null>();
      answers.push(answer);
      return answer.promise;
    },
    deleteToken: vi.fn(async () => true),
    onMessage: () => () => undefined,
  };
  const at = (index: number) => {
    const answer = answers[index];
    if (!answer) throw new Error(`There was no request ${index}`);
    return answer;
  };
  return { messaging, requests, answer: at };
}

/** The same, where the test also says what a look has found and what became of it. */
function healingUnderTest() {
  const under = messagingUnderTest();
  let loss: Loss | null = null;
  const listeners: ((healing: Healing) => void)[] = [];
  const messaging: Messaging = {
    ...under.messaging,
    state: () => ({ enabled: true, loss }),
    onHealing(listener) {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const tell = (healing: Healing) => {
    loss = { cause: healing.cause, healed: healing.token !== null };
    for (const listener of listeners) listener(healing);
  };
  return { ...under, messaging, tell };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const log = () => vi.mocked(console.log).mock.calls;
const dispatch = {};

beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => undefined));

it("is null where there is no messaging", () => {
  expect(notificationsOf(null)).toBe(null);
});

it.each([undefined, () => true])("is busy no longer if deleteToken is %o", async (deleteToken) => {
  const notifications = notificationsOf({
    ...messagingUnderTest().messaging,
    deleteToken,
  } as never);
  notifications.disable();
  await settled();
  expect(notifications.getState().busy).toBe(false);
});

it.each([
  "x",
  5,
  true,
  { state: 1 },
  { state: () => undefined },
  { onHealing: 5 },
  {},
  Promise.resolve(),
])("is null with %o, which is no messaging object, and throws nothing", (wrong) => {
  expect(notificationsOf(wrong as never)).toBe(null);
});

describe("on load", () => {
  it("asks once with the public key, whoever mounts again or beside", () => {
    const { messaging, requests } = messagingUnderTest();
    notificationsOf(messaging).askOnLoad(dispatch, {});
    notificationsOf(messaging).askOnLoad(dispatch, {});
    notificationsOf(messaging).askOnLoad({});
    expect(requests).toEqual([{ vapidKey: "the-public-key", confirm: false }]);
  });

  it("turns on with a token, and tells each dispatch once", async () => {
    const { messaging, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    const first = vi.fn();
    const second = vi.fn();
    const late = vi.fn();
    const other = {};
    notifications.askOnLoad(dispatch, { onToken: first });
    notifications.askOnLoad(dispatch, { onToken: first });
    notifications.askOnLoad(other, { onToken: second });
    expect(notifications.getState()).toMatchObject({ enabled: false, busy: true });
    answer(0).resolve("token");
    await settled();
    notifications.askOnLoad({}, { onToken: late });
    await settled();
    for (const told of [first, second, late]) expect(told.mock.calls).toEqual([["token"]]);
    expect(notifications.getState()).toEqual({
      enabled: true,
      busy: false,
      token: "token",
      error: null,
      loss: null,
    });
    expect(log()).toEqual([]);
  });

  it("stays off without a token, with the line and nothing else", async () => {
    const { messaging, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    const onToken = vi.fn();
    const onError = vi.fn();
    notifications.askOnLoad(dispatch, { onToken, onError });
    answer(0).resolve(null);
    await settled();
    expect(log()).toEqual([[noTokenLine]]);
    expect(notifications.getState()).toMatchObject({ enabled: false, busy: false, error: null });
    expect(onToken).not.toHaveBeenCalled();
    expect(onError).not.toHaveBeenCalled();
  });
});

describe("on load, where the page may not ask", () => {
  it("asks nothing, and tells of the token that a click has brought", async () => {
    const { messaging, requests, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    const [clicked, mounted] = [vi.fn(), vi.fn()];
    notifications.askOnLoad({}, {}, false);
    await settled();
    expect(requests).toEqual([]);
    expect(log()).toEqual([]);
    notifications.ask({ onToken: clicked });
    answer(0).resolve("token");
    await settled();
    notifications.askOnLoad({}, { onToken: mounted }, false);
    await settled();
    for (const told of [clicked, mounted]) expect(told.mock.calls).toEqual([["token"]]);
  });

  it("asks nothing again for a bell that is mounted after the click, though it may now", async () => {
    const { messaging, requests, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    notifications.askOnLoad({}, {}, false);
    notifications.ask();
    answer(0).resolve("token");
    await settled();
    const onToken = vi.fn();
    notifications.askOnLoad({}, { onToken }, true);
    await settled();
    expect(requests).toHaveLength(1);
    expect(onToken.mock.calls).toEqual([["token"]]);
  });

  it("tells of the token that heals a loss", async () => {
    const { messaging, tell } = healingUnderTest();
    const onToken = vi.fn();
    notificationsOf(messaging).askOnLoad({}, { onToken }, false);
    tell({ cause: "subscription-gone", token: "new", error: null });
    await settled();
    expect(onToken.mock.calls).toEqual([["new"]]);
  });

  it("asks once it may, also for a bell that it knows", () => {
    const { messaging, requests } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    notifications.askOnLoad(dispatch, {}, false);
    expect(requests).toEqual([]);
    notifications.askOnLoad(dispatch, {}, true);
    notifications.askOnLoad(dispatch, {}, true);
    expect(requests).toHaveLength(1);
  });
});

describe("disable", () => {
  const anAsker = () => ({ onToken: vi.fn(), onDisabled: vi.fn(), onError: vi.fn() });

  /** A bell that is on. */
  async function enabled() {
    const under = messagingUnderTest();
    const asker = anAsker();
    const notifications = notificationsOf(under.messaging);
    notifications.askOnLoad(dispatch, asker);
    under.answer(0).resolve("token");
    await settled();
    return { ...under, notifications, asker };
  }

  it("deletes the token for good, turns off, and tells every bell of the page", async () => {
    const { messaging, notifications, asker } = await enabled();
    const other = anAsker();
    notifications.askOnLoad({}, other);
    notifications.disable();
    expect(notifications.getState()).toMatchObject({ enabled: true, busy: true });
    await settled();
    expect(vi.mocked(messaging.deleteToken).mock.calls).toEqual([[{ stayOff: true }]]);
    for (const { onDisabled } of [asker, other]) expect(onDisabled).toHaveBeenCalledOnce();
    const off = { enabled: false, busy: false, token: null, error: null };
    expect(notifications.getState()).toMatchObject(off);
    expect(log()).toEqual([]);
  });

  it("ends with a click that asks", async () => {
    const { notifications, answer } = await enabled();
    notifications.disable();
    await settled();
    notifications.ask();
    answer(1).resolve("another");
    await settled();
    expect(notifications.getState()).toMatchObject({ enabled: true, token: "another" });
  });

  it("asks nothing for a bell that is mounted later", async () => {
    const { requests, notifications } = await enabled();
    notifications.disable();
    await settled();
    notifications.askOnLoad({});
    expect(requests).toHaveLength(1);
  });

  it("that fails stays on, tells onError, and writes no line", async () => {
    const { messaging, notifications, asker } = await enabled();
    const error = new MessagingError("subscribe-failed");
    vi.mocked(messaging.deleteToken).mockRejectedValue(error);
    notifications.disable();
    await settled();
    expect(asker.onError.mock.calls).toEqual([[error]]);
    expect(asker.onDisabled).not.toHaveBeenCalled();
    expect(notifications.getState()).toMatchObject({ enabled: true, busy: false, error });
    expect(log()).toEqual([]);
  });

  it("clicked twice stays off", async () => {
    const { notifications, requests } = await enabled();
    notifications.disable();
    notifications.disable();
    await settled();
    expect(notifications.getState()).toMatchObject({ enabled: false, busy: false });
    expect(requests).toHaveLength(1);
  });
});

describe("the page's own code", () => {
  it("may throw without keeping the others from hearing, or the bell from turning on", async () => {
    const { messaging, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    const onToken = vi.fn();
    const thrown = Promise.withResolvers<unknown>();
    process.once("uncaughtException", thrown.resolve);
    const failing = () => {
      throw new Error("the store is broken");
    };
    notifications.askOnLoad({}, { onToken: failing });
    notifications.askOnLoad({}, { onToken });
    answer(0).resolve("token");
    await expect(thrown.promise).resolves.toMatchObject({ message: "the store is broken" });
    await settled();
    expect(onToken.mock.calls).toEqual([["token"]]);
    expect(notifications.getState()).toMatchObject({ enabled: true, busy: false });
  });
});

describe("on click", () => {
  it("asks every time, also while a request runs and while it is on; each has its own outcome", async () => {
    const { messaging, requests, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    const onToken = vi.fn();
    notifications.askOnLoad(dispatch, {});
    notifications.ask({ onToken });
    notifications.ask({ onToken });
    expect(requests.map((request) => request.confirm)).toEqual([false, true, true]);
    answer(0).resolve(null);
    answer(1).resolve("one");
    answer(2).resolve("two");
    await settled();
    expect(log()).toEqual([[noTokenLine]]);
    expect(onToken.mock.calls).toEqual([["one"], ["two"]]);

    notifications.ask({ onToken });
    answer(3).resolve("three");
    await settled();
    expect(onToken).toHaveBeenLastCalledWith("three");
    expect(notifications.getState()).toMatchObject({ enabled: true, token: "three" });
  });

  it("stays on when permission was withdrawn, with the line", async () => {
    const { messaging, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    notifications.ask({});
    answer(0).resolve("token");
    await settled();
    notifications.ask({});
    answer(1).resolve(null);
    await settled();
    expect(notifications.getState()).toMatchObject({ enabled: true, token: "token" });
    expect(log()).toEqual([[noTokenLine]]);
  });

  it("is busy until the last request has ended", async () => {
    const { messaging, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    notifications.ask();
    notifications.ask();
    answer(0).resolve("token");
    await settled();
    expect(notifications.getState().busy).toBe(true);
    answer(1).resolve("token");
    await settled();
    expect(notifications.getState().busy).toBe(false);
  });
});

describe("a failure", () => {
  it("writes its line with one argument, keeps the state, and hands the cause to onError alone", async () => {
    const { messaging, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    const onError = vi.fn();
    const cause = new MessagingError("server-unreachable");
    notifications.ask({ onError });
    answer(0).reject(cause);
    await settled();
    expect(log()).toEqual([[failedLine]]);
    expect(onError.mock.calls).toEqual([[cause]]);
    expect(notifications.getState()).toMatchObject({ enabled: false, error: cause });

    notifications.ask({});
    answer(1).resolve("token");
    await settled();
    expect(notifications.getState()).toMatchObject({ enabled: true, error: null });

    notifications.ask({});
    answer(2).reject(cause);
    await settled();
    expect(notifications.getState()).toMatchObject({ enabled: true, token: "token", error: cause });
  });

  it("is one too when the messaging object throws at once", async () => {
    const { messaging } = messagingUnderTest();
    const notifications = notificationsOf({
      ...messaging,
      getToken: () => {
        throw new Error("at once");
      },
    });
    notifications.ask({});
    await settled();
    expect(log()).toEqual([[failedLine]]);
    expect(notifications.getState().busy).toBe(false);
  });

  it("by the clock turns into a token when the answer comes after all", async () => {
    const { messaging, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    const late = Promise.withResolvers<string | null>();
    const onToken = vi.fn();
    notifications.ask({ onToken });
    answer(0).reject(new MessagingError("token-timeout", { late: late.promise }));
    await settled();
    expect(log()).toEqual([[failedLine]]);
    expect(notifications.getState().enabled).toBe(false);
    late.resolve("late");
    await settled();
    expect(onToken.mock.calls).toEqual([["late"]]);
    expect(notifications.getState()).toMatchObject({ enabled: true, token: "late", error: null });
  });

  it("by the clock is told once when the answer fails later, too", async () => {
    const { messaging, answer } = messagingUnderTest();
    const notifications = notificationsOf(messaging);
    const late = Promise.withResolvers<string | null>();
    notifications.ask({});
    answer(0).reject(new MessagingError("token-timeout", { late: late.promise }));
    await settled();
    late.reject(new MessagingError("subscribe-failed"));
    await settled();
    expect(log()).toEqual([[failedLine]]);
  });
});

describe("healing after load", () => {
  const cause = "subscription-gone";

  it("shows the loss, then dispatches the healed token once to each", async () => {
    const { messaging, answer, tell } = healingUnderTest();
    const notifications = notificationsOf(messaging);
    const told = [vi.fn(), vi.fn()];
    const changed = vi.fn();
    for (const onToken of told) notifications.askOnLoad({}, { onToken });
    answer(0).resolve("old");
    await settled();
    notifications.subscribe(changed);
    tell({ cause, token: null, error: null });
    expect(changed).toHaveBeenCalledOnce();
    expect(notifications.getState()).toMatchObject({
      enabled: true,
      token: "old",
      loss: { cause, healed: false },
    });
    tell({ cause, token: "new", error: null });
    await settled();
    for (const onToken of told) expect(onToken.mock.calls).toEqual([["old"], ["new"]]);
    expect(notifications.getState()).toEqual({
      enabled: true,
      busy: false,
      token: "new",
      error: null,
      loss: { cause, healed: true },
    });
    expect(log()).toEqual([]);
  });

  it("that fails is told to onError, leaves the bell on, and writes no line", async () => {
    const { messaging, answer, tell } = healingUnderTest();
    const notifications = notificationsOf(messaging);
    const onError = vi.fn();
    notifications.askOnLoad({}, { onError });
    answer(0).resolve("old");
    await settled();
    const error = new MessagingError("server-unreachable");
    tell({ cause, token: null, error: null });
    tell({ cause, token: null, error });
    await settled();
    expect(onError.mock.calls).toEqual([[error]]);
    expect(notifications.getState()).toEqual({
      enabled: true,
      busy: false,
      token: "old",
      error,
      loss: { cause, healed: false },
    });
    expect(log()).toEqual([]);
  });
});
