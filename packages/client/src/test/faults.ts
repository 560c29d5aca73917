import { vi } from "vitest";

const fault = new DOMException("The browser says no.", "UnknownError");

/**
 * One call of a function of the browser. Its path leads there from a global name, through results of functions, too:
 * `indexedDB.open.result.close`. `before` is the number of calls of that path before it.
 */
type Call = { path: string; before: number };

/** A function of the browser fails at one call, by default with `fault`, or is missing. */
export type Failing = { at: Call; error?: DOMException } | { missing: string };

/**
 * The global names by which the client reaches the browser. The language's own, such as `Intl`, are left out. So is session
 * storage, which a page reads without a function.
 */
const names = [
  "AbortController",
  "BroadcastChannel",
  "MessageChannel",
  "Notification",
  "crypto",
  "fetch",
  "indexedDB",
  "navigator",
  "requestIdleCallback",
  "trustedTypes",
];

/** Parts of IndexedDB that fail only together with the opening or the transaction that they belong to. */
const neverFailsAlone = /^indexedDB\..+\.(contains|createObjectStore|objectStore|close)$/;

/**
 * Functions that have given a promise in an earlier run. Such a function rejects, and never throws. So run once without a
 * failure first.
 */
const asynchronous = new Set<string>();

/**
 * Puts proxies in place of the browser's globals, and records each call of their functions. If `failing` is given, that
 * function fails.
 */
export function failBrowser(failing?: Failing) {
  const calls: Call[] = [];
  const isAt = ({ path, before }: Call) =>
    failing && "at" in failing && failing.at.path === path && failing.at.before === before;
  const isMissing = (path: string) => failing && "missing" in failing && failing.missing === path;

  function called(path: string, work: () => unknown): unknown {
    if (neverFailsAlone.test(path)) return watched(work(), path);
    const call = { path, before: calls.filter((one) => one.path === path).length };
    calls.push(call);
    if (!isAt(call)) {
      const result = work();
      if (!(result instanceof Promise)) return watched(result, path);
      asynchronous.add(path);
      return result.then((value) => watched(value, path));
    }
    if (asynchronous.has(path)) return Promise.reject(errorOf(failing));
    if (!path.includes(".objectStore.")) throw errorOf(failing);
    // A request fails by an event, and its transaction with it.
    const request = work() as IDBRequest;
    request.transaction?.abort();
    return watched(request, path);
  }

  /** The same value, but calls of its functions are recorded, and may fail. */
  function watched<T>(value: T, path: string): T {
    if (Array.isArray(value)) return value.map((one) => watched(one, path)) as T;
    if (!hasFunctions(value)) return value;
    return new Proxy(value, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key, target);
        if (typeof key === "symbol") return member;
        const name = `${path}.${key}`;
        if (isMissing(name)) return undefined;
        return watched(typeof member === "function" ? member.bind(target) : member, name);
      },
      set: (target, key, member) => Reflect.set(target, key, member, target),
      apply: (target, _this, given) =>
        called(path, () => Reflect.apply(target as () => unknown, undefined, given)),
      construct: (target, given) =>
        called(path, () => Reflect.construct(target as new () => object, given)) as object,
    });
  }

  for (const name of names) {
    const value: unknown = Reflect.get(globalThis, name);
    vi.stubGlobal(name, isMissing(name) ? undefined : watched(value, name));
  }
  return { calls, watched };
}

/** Whether a value, or what it is made of, has functions. Data has none. */
function hasFunctions<T>(value: T): value is T & object {
  if (typeof value === "function") return true;
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return false;
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  return !isPlain || Object.values(value).some(hasFunctions);
}

/** How a function fails in turn: at each of those calls, then by being missing. */
export function* failuresOf(calls: readonly Call[]): Generator<Failing> {
  for (const at of calls) yield { at };
  const paths = new Set(calls.map(({ path }) => path));
  // A browser that has IndexedDB has all of it.
  for (const missing of paths) if (!missing.startsWith("indexedDB.open.")) yield { missing };
}

/** The failure as a test's report has it. */
export function describeFailure(failing: Failing): string {
  return "at" in failing ? `${failing.at.path} ${failing.at.before}` : `no ${failing.missing}`;
}

/** The path of the function that fails. */
export const pathOf = (failing: Failing): string =>
  "at" in failing ? failing.at.path : failing.missing;

/** What the browser throws at the call that fails. */
export const errorOf = (failing?: Failing): DOMException =>
  (failing && "at" in failing && failing.error) || fault;
