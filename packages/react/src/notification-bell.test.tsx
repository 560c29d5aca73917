// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { Healing, Messaging, MessagingState } from "@sineta/client";
import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NotificationBell, type NotificationBellProps } from "./notification-bell.tsx";
import { type NotificationsView, useNotifications } from "./use-notifications.ts";

const enable = "Habilitar Notificações";
const disable = "Desabilitar Notificações";

/** Answers every request with what the test has set. */
function messagingThat(answer: () => Promise<string | null>) {
  const getToken = vi.fn(answer);
  const deleteToken = vi.fn(async () => true);
  const messaging: Messaging = {
    vapidKey: "the-public-key",
    getToken,
    deleteToken,
    onMessage: () => () => undefined,
  };
  return { messaging, getToken, deleteToken };
}

/** Makes the page one where push can be offered, and the permission is denied once it is asked for. */
function offerPush() {
  const requestPermission = vi.fn(async () => "denied");
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("location", new URL("https://loja.example/"));
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", { permission: "default", requestPermission });
  Object.defineProperty(navigator, "serviceWorker", {
    value: new EventTarget(),
    configurable: true,
  });
  return requestPermission;
}

const settle = () => act(async () => new Promise((resolve) => setImmediate(resolve)));
const bell = () => screen.getByRole("button");

beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => undefined));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

describe("NotificationBell", () => {
  it("renders nothing at all where push cannot be offered", () => {
    const { container } = render(<NotificationBell messaging={null} />);
    expect(container.innerHTML).toBe("");
  });

  it("asks on load, turns on, and dispatches setToken", async () => {
    const { messaging, getToken } = messagingThat(async () => "token");
    const dispatch = vi.fn();
    render(<NotificationBell messaging={messaging} dispatch={dispatch} />);
    expect(bell().getAttribute("aria-label")).toBe(enable);
    expect(bell().getAttribute("aria-busy")).toBe("true");
    await settle();
    expect(bell().getAttribute("aria-label")).toBe(disable);
    expect(bell().getAttribute("aria-busy")).toBe("false");
    expect(bell().getAttribute("type")).toBe("button");
    expect(bell().hasAttribute("aria-pressed")).toBe(false);
    expect(getToken.mock.calls).toEqual([[{ vapidKey: "the-public-key", confirm: false }]]);
    expect(dispatch.mock.calls).toEqual([[{ type: "setToken", payload: "token" }]]);
  });

  it("stays on while a loss is healed, dispatches the healed token once, and tells of the loss", async () => {
    const { messaging } = messagingThat(async () => "old");
    const state: MessagingState = { enabled: true, loss: null };
    let tell: (healing: Healing) => void = () => undefined;
    Object.assign(messaging, {
      state: () => state,
      onHealing: (listener: typeof tell) => void (tell = listener),
    });
    const dispatch = vi.fn();
    const views: NotificationsView[] = [];
    function Watch() {
      views.push(useNotifications({ messaging, dispatch }));
      return null;
    }
    render([
      <NotificationBell key="bell" messaging={messaging} dispatch={dispatch} />,
      <Watch key="watch" />,
    ]);
    await settle();
    const cause = "subscription-gone";
    state.loss = { cause, healed: false };
    await act(async () => tell({ cause, token: null, error: null }));
    expect(views.at(-1)).toMatchObject({ enabled: true, loss: { cause, healed: false } });
    expect(bell().getAttribute("aria-label")).toBe(disable);
    state.loss = { cause, healed: true };
    await act(async () => tell({ cause, token: "new", error: null }));
    await settle();
    expect(views.at(-1)).toMatchObject({ token: "new", loss: { cause, healed: true } });
    expect(dispatch.mock.calls.map(([{ payload }]) => payload)).toEqual(["old", "new"]);
    expect(console.log).not.toHaveBeenCalled();
  });

  it("stays off without a token, and needs no dispatch", async () => {
    const { messaging } = messagingThat(async () => null);
    render(<NotificationBell messaging={messaging} />);
    await settle();
    expect(bell().getAttribute("aria-label")).toBe(enable);
    expect(console.log).toHaveBeenCalledExactlyOnceWith(
      "No registration token available. Request permission to generate one.",
    );
  });

  it("asks again on every click, in the click itself, and never turns off", async () => {
    const { messaging, getToken } = messagingThat(async () => "token");
    const dispatch = vi.fn();
    render(<NotificationBell messaging={messaging} dispatch={dispatch} />);
    await settle();
    for (const clicks of [1, 2]) {
      fireEvent.click(bell());
      expect(getToken).toHaveBeenCalledTimes(1 + clicks);
      await settle();
      expect(bell().getAttribute("aria-label")).toBe(disable);
    }
    expect(dispatch).toHaveBeenCalledTimes(3);
  });

  it("asks once per page load in StrictMode, beside a second bell, and mounted again", async () => {
    const { messaging, getToken } = messagingThat(async () => "token");
    const dispatch = vi.fn();
    const twoBells = (
      <StrictMode>
        <NotificationBell messaging={messaging} dispatch={dispatch} />
        <NotificationBell messaging={messaging} dispatch={dispatch} />
      </StrictMode>
    );
    const { unmount } = render(twoBells);
    await settle();
    for (const one of screen.getAllByRole("button")) {
      expect(one.getAttribute("aria-label")).toBe(disable);
    }
    unmount();
    render(twoBells);
    await settle();
    expect(getToken).toHaveBeenCalledOnce();
    expect(dispatch).toHaveBeenCalledOnce();
    expect(screen.getAllByRole("button")[0]?.getAttribute("data-ring")).toBe("false");
  });

  it("dispatches also when the bell was unmounted before the answer came", async () => {
    const answer = Promise.withResolvers<string | null>();
    const { messaging } = messagingThat(() => answer.promise);
    const dispatch = vi.fn();
    render(<NotificationBell messaging={messaging} dispatch={dispatch} />).unmount();
    answer.resolve("token");
    await settle();
    expect(dispatch).toHaveBeenCalledOnce();
  });

  it("hands the cause of a failure to onError and shows no message", async () => {
    const cause = new Error("the push service is away");
    const { messaging } = messagingThat(() => Promise.reject(cause));
    const onError = vi.fn();
    const { container } = render(<NotificationBell messaging={messaging} onError={onError} />);
    await settle();
    expect(onError.mock.calls).toEqual([[cause]]);
    expect(console.log).toHaveBeenCalledExactlyOnceWith(
      "An error occurred while retrieving token.",
    );
    expect(container.textContent).toBe(enable);
  });

  it("tells each of two bells without a dispatch of a failure", async () => {
    const { messaging } = messagingThat(() => Promise.reject(new Error("away")));
    const first = vi.fn();
    const second = vi.fn();
    render(
      <>
        <NotificationBell messaging={messaging} onError={first} />
        <NotificationBell messaging={messaging} onError={second} />
      </>,
    );
    await settle();
    expect(first).toHaveBeenCalledOnce();
    expect(second).toHaveBeenCalledOnce();
    expect(console.log).toHaveBeenCalledOnce();
  });

  it("renders nothing on the server, hydrates without a warning, and asks once", async () => {
    const { messaging, getToken } = messagingThat(async () => "token");
    const warn = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const pageWith = (available: Messaging | null) => (
      <StrictMode>
        <header>
          <NotificationBell messaging={available} />
        </header>
      </StrictMode>
    );
    // A server has no messaging; should it be given one, it renders the same.
    const html = renderToString(pageWith(null));
    expect(html).toBe("<header></header>");
    expect(renderToString(pageWith(messaging))).toBe(html);
    expect(getToken).not.toHaveBeenCalled();
    const container = document.createElement("div");
    container.innerHTML = html;
    document.body.append(container);
    const recovered = vi.fn();
    const root = await act(async () =>
      hydrateRoot(container, pageWith(messaging), { onRecoverableError: recovered }),
    );
    await settle();
    expect(container.querySelector("button")?.getAttribute("aria-label")).toBe(disable);
    expect(getToken).toHaveBeenCalledOnce();
    expect(warn).not.toHaveBeenCalled();
    expect(recovered).not.toHaveBeenCalled();
    await act(async () => root.unmount());
  });

  it("makes its own messaging in the browser from what a server component passes on", async () => {
    // All of it crosses the boundary as texts, as React's payload does.
    const props: NotificationBellProps = JSON.parse(
      JSON.stringify({
        server: "https://avisos.example",
        vapidKey: `B${"A".repeat(86)}`,
        appleDevices: "home-screen",
        whenOn: "disable",
        labels: { enable, disable },
      } satisfies NotificationBellProps),
    );
    const page = (
      <header>
        <NotificationBell {...props} />
      </header>
    );
    const requestPermission = offerPush();
    expect(renderToString(page)).toBe("<header></header>");
    expect(requestPermission).not.toHaveBeenCalled();
    const warn = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const container = document.createElement("div");
    container.innerHTML = "<header></header>";
    document.body.append(container);
    const root = await act(async () => hydrateRoot(container, page));
    await settle();
    await act(async () => root.render(page));
    expect(container.querySelector("button")?.getAttribute("aria-label")).toBe(enable);
    expect(requestPermission).toHaveBeenCalledOnce();
    expect(warn).not.toHaveBeenCalled();
    await act(async () => root.unmount());
  });
});

describe("askOnLoad={false}", () => {
  const permitted = (permission: string) => vi.stubGlobal("Notification", { permission });

  it("asks on load only where the permission is granted", async () => {
    permitted("default");
    const open = messagingThat(async () => "token");
    render(<NotificationBell messaging={open.messaging} askOnLoad={false} />);
    await settle();
    expect(open.getToken).not.toHaveBeenCalled();
    expect(bell().getAttribute("aria-label")).toBe(enable);
    expect(console.log).not.toHaveBeenCalled();
    fireEvent.click(bell());
    await settle();
    expect(bell().getAttribute("aria-label")).toBe(disable);
    cleanup();

    permitted("granted");
    const granted = messagingThat(async () => "token");
    render(<NotificationBell messaging={granted.messaging} askOnLoad={false} />);
    await settle();
    expect(granted.getToken.mock.calls).toEqual([[{ vapidKey: "the-public-key", confirm: false }]]);
    expect(bell().getAttribute("aria-label")).toBe(disable);
  });

  it("asks once it becomes true, as after a visitor's consent", async () => {
    permitted("default");
    const { messaging, getToken } = messagingThat(async () => "token");
    const { rerender } = render(<NotificationBell messaging={messaging} askOnLoad={false} />);
    await settle();
    expect(getToken).not.toHaveBeenCalled();
    for (const _twice of [1, 2]) rerender(<NotificationBell messaging={messaging} askOnLoad />);
    await settle();
    expect(getToken).toHaveBeenCalledOnce();
  });

  it("asks nothing where the permission cannot be read, and the page stays", () => {
    vi.stubGlobal("Notification", {
      get permission() {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
    const { messaging, getToken } = messagingThat(async () => "token");
    render(<NotificationBell messaging={messaging} askOnLoad={false} />);
    expect(bell().getAttribute("aria-label")).toBe(enable);
    expect(getToken).not.toHaveBeenCalled();
  });

  it("renders nothing in a browser that has no notifications at all", () => {
    vi.stubGlobal("Notification", undefined);
    const { container } = render(<NotificationBell messaging={null} askOnLoad={false} />);
    expect(container.innerHTML).toBe("");
  });
});

describe('whenOn="disable"', () => {
  it("turns off by a click while on, dispatches setToken with null, and on again by the next", async () => {
    const { messaging, getToken, deleteToken } = messagingThat(async () => "token");
    const dispatch = vi.fn();
    render(<NotificationBell messaging={messaging} dispatch={dispatch} whenOn="disable" />);
    await settle();
    fireEvent.click(bell());
    await settle();
    expect(deleteToken).toHaveBeenCalledOnce();
    expect(bell().getAttribute("aria-label")).toBe(enable);
    fireEvent.click(bell());
    await settle();
    expect(getToken).toHaveBeenLastCalledWith({ vapidKey: "the-public-key", confirm: true });
    expect(bell().getAttribute("aria-label")).toBe(disable);
    expect(dispatch.mock.calls.map(([{ payload }]) => payload)).toEqual(["token", null, "token"]);
    expect(console.log).not.toHaveBeenCalled();
  });

  it("rings each time it turns on, and not where it was on from the start", async () => {
    const { messaging } = messagingThat(async () => "token");
    const first = render(<NotificationBell messaging={messaging} whenOn="disable" />);
    await settle();
    expect(bell().getAttribute("data-ring")).toBe("true");
    first.unmount();
    render(<NotificationBell messaging={messaging} whenOn="disable" />);
    expect(bell().getAttribute("data-ring")).toBe("false");
    for (const ring of ["false", "true"]) {
      fireEvent.click(bell());
      await settle();
      expect(bell().getAttribute("data-ring")).toBe(ring);
    }
  });

  it("turns every bell of the page off, and takes the token out of each one's state", async () => {
    const { messaging } = messagingThat(async () => "token");
    const [header, footer] = [vi.fn(), vi.fn()];
    render(
      <>
        <NotificationBell messaging={messaging} dispatch={header} whenOn="disable" />
        <NotificationBell messaging={messaging} dispatch={footer} whenOn="disable" />
      </>,
    );
    await settle();
    const [one] = screen.getAllByRole("button");
    if (one) fireEvent.click(one);
    await settle();
    for (const dispatch of [header, footer]) {
      expect(dispatch.mock.calls.map(([{ payload }]) => payload)).toEqual(["token", null]);
    }
    for (const each of screen.getAllByRole("button")) {
      expect(each.getAttribute("aria-label")).toBe(enable);
    }
  });

  it("asks by a click while off", async () => {
    const { messaging, getToken, deleteToken } = messagingThat(async () => null);
    render(<NotificationBell messaging={messaging} whenOn="disable" />);
    await settle();
    fireEvent.click(bell());
    await settle();
    expect(getToken).toHaveBeenCalledTimes(2);
    expect(deleteToken).not.toHaveBeenCalled();
  });

  it("stays on where turning off fails, and hands the cause to onError", async () => {
    const { messaging, deleteToken } = messagingThat(async () => "token");
    const cause = new Error("the browser keeps its subscription");
    deleteToken.mockRejectedValue(cause);
    const onError = vi.fn();
    render(<NotificationBell messaging={messaging} onError={onError} whenOn="disable" />);
    await settle();
    fireEvent.click(bell());
    await settle();
    expect(onError.mock.calls).toEqual([[cause]]);
    expect(bell().getAttribute("aria-label")).toBe(disable);
    expect(console.log).not.toHaveBeenCalled();
  });
});

describe("the labels", () => {
  const labelsOf = async (props: Partial<NotificationBellProps>) => {
    const { messaging } = messagingThat(async () => "token");
    // The messaging object comes last: the other props may name what makes one.
    const page = render(<NotificationBell {...props} {...{ messaging }} />);
    const off = bell().getAttribute("aria-label");
    await settle();
    const on = bell().getAttribute("aria-label");
    expect(screen.getByRole("tooltip", { hidden: true }).textContent).toBe(on);
    const lang = bell().closest("[lang]")?.getAttribute("lang");
    page.unmount();
    return { off, on, lang };
  };

  it("are Portuguese, or in the language that was chosen, and say which", async () => {
    expect(await labelsOf({})).toEqual({ off: enable, on: disable, lang: "pt-BR" });
    expect(await labelsOf({ language: "en" })).toEqual({
      off: "Enable notifications",
      on: "Disable notifications",
      lang: "en",
    });
    expect(await labelsOf({ language: "es" })).toEqual({
      off: "Activar notificaciones",
      on: "Desactivar notificaciones",
      lang: "es",
    });
  });

  it("follow the language of a regional tag, and fall back to Portuguese for any other language", async () => {
    expect(await labelsOf({ language: "en-US" })).toMatchObject({ lang: "en" });
    expect(await labelsOf({ language: "ES-419" })).toMatchObject({ lang: "es" });
    for (const language of ["pt", "de", "constructor", ""]) {
      expect(await labelsOf({ language })).toEqual({ off: enable, on: disable, lang: "pt-BR" });
    }
  });

  it("are the page's own, and what is missing or empty is the language's", async () => {
    const labels = { enable: "Avise-me", disable: "Avisos ligados" };
    expect(await labelsOf({ labels })).toEqual({ off: "Avise-me", on: "Avisos ligados" });
    const { messaging } = messagingThat(async () => null);
    render(
      <NotificationBell messaging={messaging} language="en" labels={{ ...labels, enable: "" }} />,
    );
    await settle();
    expect(bell().getAttribute("aria-label")).toBe("Enable notifications");
    expect(bell().closest("[lang]")?.getAttribute("lang")).toBe("en");
  });
});

/** Code without types may pass anything, and what throws while React renders takes the whole page down. */
describe("a wrong option", () => {
  const withOption = async (option: object) => {
    const { messaging } = messagingThat(async () => "token");
    render(<NotificationBell {...{ messaging, ...option }} />);
    await settle();
  };

  it.each([null, 5, {}, Object.create(null), Symbol("pt-BR")])(
    "language %o: the bell speaks Portuguese",
    async (language) => {
      await withOption({ language });
      expect(bell().getAttribute("aria-label")).toBe(disable);
    },
  );

  it.each([null, { disable: 5 }, { disable: {} }])(
    "labels %o: the bell has its own",
    async (labels) => {
      await withOption({ labels });
      expect(bell().getAttribute("aria-label")).toBe(disable);
    },
  );

  it.each(["none", 5, true, () => null, {}, [], { state: 1 }, Promise.resolve(null)])(
    "messaging %o: there is no bell",
    async (messaging) => {
      await withOption({ messaging });
      expect(screen.queryByRole("button")).toBe(null);
    },
  );

  it.each<[string, object]>([
    ["a state that is no function", { state: 1 }],
    ["a state that gives nothing", { state: () => undefined }],
    ["an onHealing that is no function", { onHealing: 5 }],
  ])("messaging with %s: there is no bell", async (_what, wrong) => {
    const { messaging } = messagingThat(async () => "token");
    await withOption({ messaging: { ...messaging, ...wrong } });
    expect(screen.queryByRole("button")).toBe(null);
  });

  it("askOnLoad null: the bell asks, as it does by default", async () => {
    await withOption({ askOnLoad: null });
    expect(bell().getAttribute("aria-label")).toBe(disable);
  });

  it("messaging of one's own in a browser without notifications: the bell stays off", async () => {
    vi.stubGlobal("Notification", undefined);
    await withOption({ askOnLoad: false });
    expect(bell().getAttribute("aria-label")).toBe(enable);
  });

  it("messaging {} beside a key: there is no bell", async () => {
    offerPush();
    await withOption({ messaging: {}, vapidKey: `B${"A".repeat(86)}` });
    expect(screen.queryByRole("button")).toBe(null);
  });

  it.each([undefined, null, "none"])(
    "options %o for the hook: it offers nothing",
    async (options) => {
      function Control() {
        return useNotifications(options as never).available ? "Sino" : "Nada";
      }
      render(<Control />);
      await settle();
      expect(screen.getByText("Nada")).not.toBe(null);
    },
  );
});
