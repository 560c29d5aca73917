import { setMaxListeners } from "node:events";
import { IDBFactory } from "fake-indexeddb";
import { vi } from "vitest";

/** A browser as far as the client needs one: fakes, because the real one is driven in e2e. */
export function fakeBrowser() {
  let made = 0;
  let current: FakeSubscription | null = null;

  type FakeSubscription = ReturnType<typeof subscriptionOf>;
  function subscriptionOf(applicationServerKey: string) {
    made += 1;
    const endpoint = `https://push.example/${made}`;
    return {
      endpoint,
      options: { applicationServerKey: Buffer.from(applicationServerKey, "base64url") },
      unsubscribe: vi.fn(async () => {
        current = null;
        return true;
      }),
      toJSON: () => ({ endpoint, keys: { p256dh: `p256dh-${made}`, auth: `auth-${made}` } }),
    };
  }

  const pushManager = {
    getSubscription: vi.fn(async () => current),
    subscribe: vi.fn(async ({ applicationServerKey }: { applicationServerKey: string }) => {
      current ??= subscriptionOf(applicationServerKey);
      return current;
    }),
  };
  const worker = Object.assign(new EventTarget(), { state: "activated", scriptURL: "" });
  const registration = {
    active: worker,
    scope: "",
    pushManager,
    update: vi.fn(async () => undefined),
    unregister: vi.fn(async () => true),
  };
  let registered: typeof registration | undefined;
  const others: ReturnType<typeof otherWorker>[] = [];
  function otherWorker(scope: string, endpoint: string | null) {
    const subscription = endpoint === null ? null : { endpoint };
    return {
      scope,
      pushManager: { getSubscription: async () => subscription },
      unregister: vi.fn(async () => true),
    };
  }
  const serviceWorker = Object.assign(new EventTarget(), {
    register: vi.fn(async (url: string | URL, { scope }: { scope: string }) => {
      worker.scriptURL = String(url);
      registered = Object.assign(registration, { scope });
      return registered;
    }),
    getRegistration: vi.fn(async () => registered),
    getRegistrations: vi.fn(async () => (registered ? [...others, registered] : others)),
  });
  // Each page load of a test adds a listener, and no load takes its listener away.
  setMaxListeners(0, serviceWorker);
  const permission: { permission: NotificationPermission } = { permission: "granted" };
  const notification = Object.assign(permission, {
    requestPermission: vi.fn(async () => permission.permission),
  });
  const tails = new Map<string, Promise<unknown>>();
  const locks = {
    request<T>(name: string, work: () => Promise<T>): Promise<T> {
      const held = (tails.get(name) ?? Promise.resolve()).then(work);
      tails.set(
        name,
        held.catch(() => undefined),
      );
      return held;
    },
  };
  const fetching = vi.fn(async (_url: string | URL, _request: RequestInit) =>
    Response.json({ token: "token-1" }, { status: 201 }),
  );

  const trustedTypes = {
    createPolicy: vi.fn(
      (_name: string, rules: { createScriptURL: (url: string) => string | URL }) => rules,
    ),
  };

  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("fetch", fetching);
  vi.stubGlobal("Notification", notification);
  vi.stubGlobal("trustedTypes", trustedTypes);
  vi.stubGlobal("navigator", {
    userAgent: "Chrome/156",
    platform: "Linux x86_64",
    maxTouchPoints: 0,
    language: "pt-BR",
    serviceWorker,
    locks,
  });
  vi.stubGlobal("location", new URL("https://loja.example/pagina"));
  const document = Object.assign(new EventTarget(), { readyState: "complete" });
  vi.stubGlobal("document", document);
  const idle: (() => void)[] = [];
  vi.stubGlobal("requestIdleCallback", (work: () => void) => idle.push(work));
  const openTab = () => void vi.stubGlobal("sessionStorage", {});
  openTab();
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("window", globalThis);
  return {
    pushManager,
    registration,
    serviceWorker,
    notification,
    trustedTypes,
    document,
    fetch: fetching,
    worker,
    /** The page is loaded, and the browser has nothing better to do. */
    rest: () => idle.splice(0).forEach((work) => work()),
    /** What the tab opens next is its first page load. */
    openTab,
    /** A worker at another address of the site, and the subscription that it holds. */
    addWorker(scope: string, endpoint: string | null) {
      const other = otherWorker(scope, endpoint);
      others.push(other);
      return other;
    },
    /** Unregisters the worker. */
    unregister: () => void (registered = undefined),
  };
}

/** Method and address of every request to the server. */
export function requests(fetching: ReturnType<typeof fakeBrowser>["fetch"]) {
  return fetching.mock.calls.map(([url, { method }]) => `${method} ${url}`);
}

/** The body of the n-th request to the server. */
export function sentBody(fetching: ReturnType<typeof fakeBrowser>["fetch"], index: number) {
  return JSON.parse(fetching.mock.calls[index]?.[1].body as string);
}

/** The client secret that the n-th request to the server carried. */
export function sentSecret(fetching: ReturnType<typeof fakeBrowser>["fetch"], index: number) {
  return new Headers(fetching.mock.calls[index]?.[1].headers).get("Sineta-Client-Secret");
}
