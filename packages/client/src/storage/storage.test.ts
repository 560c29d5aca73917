import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("indexedDB", new IDBFactory());
});
afterEach(() => void vi.unstubAllGlobals());

const url = "https://avisos.example/v1/projects/default/registrations";
const notice = (id: string, receivedAtMs: number) => ({
  id,
  title: `Notice ${id}`,
  navigate: "https://loja.example/",
  receivedAtMs,
});

/** Opens the database as another program does. In an upgrade, `fill` makes its stores. */
function openedAs(version: number | undefined, fill: (database: IDBDatabase) => unknown) {
  return new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("sineta", version);
    request.onupgradeneeded = () => fill(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The database does not open"));
  });
}

/** Holds back the first opening in that version, until the test goes on. */
function holdBack(version: number) {
  const open = indexedDB.open.bind(indexedDB);
  const seen = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const spy = vi.spyOn(indexedDB, "open").mockImplementation((name, asked) => {
    if (asked !== version) return open(name, asked);
    spy.mockRestore();
    seen.resolve();
    return heldBack(begun.promise, () => open(name, asked));
  });
  return { seen: seen.promise, goOn: begun.resolve };
}

/** Stands for a request to open that begins later. The real request gets the handlers that the caller has set meanwhile. */
function heldBack(begun: Promise<void>, open: () => IDBOpenDBRequest): IDBOpenDBRequest {
  const request: Partial<IDBOpenDBRequest> = {};
  void begun.then(() => {
    const real = open();
    for (const part of ["result", "error", "transaction"] as const) {
      Object.defineProperty(request, part, { get: () => real[part] });
    }
    const { onupgradeneeded = null, onsuccess = null, onerror = null } = request;
    Object.assign(real, { onupgradeneeded, onsuccess, onerror });
  });
  return request as IDBOpenDBRequest;
}

it("gives two that come at once the same client secret", async () => {
  const { establishIdentity } = await import("./identities.ts");
  const [one, other] = await Promise.all([establishIdentity(url), establishIdentity(url)]);
  expect(one.clientSecret).toMatch(/^[\w-]{43}$/);
  expect(other.clientSecret).toBe(one.clientSecret);
  const elsewhere = await establishIdentity(`${url}-of-another-project`);
  expect(elsewhere.clientSecret).not.toBe(one.clientSecret);
});

it("keepFinding writes nothing if the database was cleared meanwhile", async () => {
  const { establishIdentity, findIdentity, keepFinding } = await import("./identities.ts");
  const seen = await establishIdentity(url);
  vi.stubGlobal("indexedDB", new IDBFactory());
  await expect(keepFinding(seen, { lost: "subscription-gone" })).resolves.toBe(false);
  await expect(findIdentity(url)).resolves.toBe(undefined);
});

it("keeps the newest hundred notices, newest first, and knows them by id", async () => {
  const { hasNotice, keepNotice, listNotices } = await import("./notices.ts");
  for (let n = 1; n <= 102; n += 1) await keepNotice(notice(String(n), n));
  const kept = await listNotices();
  expect(kept).toHaveLength(100);
  expect(kept[0]).toEqual(notice("102", 102));
  expect(kept.at(-1)?.id).toBe("3");
  await expect(hasNotice("2")).resolves.toBe(false);
  await expect(hasNotice("3")).resolves.toBe(true);
});

it("tells every listener of a notice that is kept, until it is let go", async () => {
  const { keepNotice, onNotice } = await import("./notices.ts");
  const first = Promise.withResolvers<unknown>();
  const second = Promise.withResolvers<unknown>();
  const heard: string[] = [];
  const endEarly = onNotice((one) => heard.push(one.id));
  endEarly();
  const endFirst = onNotice(first.resolve);
  const endSecond = onNotice(second.resolve);
  await keepNotice(notice("a", 1));
  await expect(first.promise).resolves.toEqual(notice("a", 1));
  await expect(second.promise).resolves.toEqual(notice("a", 1));
  endFirst();
  endSecond();
  expect(heard).toEqual([]);
});

it("says storage-failed where IndexedDB cannot be opened", async () => {
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("not here", "SecurityError");
    },
  });
  const { findIdentity } = await import("./identities.ts");
  await expect(findIdentity(url)).rejects.toMatchObject({ code: "storage-failed" });
});

it.each<[string, number, (database: IDBDatabase) => unknown]>([
  ["has no stores", 1, () => undefined],
  ["has a higher version and other stores", 7, (other) => other.createObjectStore("carts")],
  [
    "has stores of the same names, with other keys",
    3,
    (other) => {
      other.createObjectStore("identities", { autoIncrement: true });
      other.createObjectStore("notices", { keyPath: "number" });
    },
  ],
])(
  "makes its stores, in place of any of the same name, in another program's database that %s",
  async (_what, version, fill) => {
    const { establishIdentity, findIdentity } = await import("./identities.ts");
    const { keepNotice, listNotices } = await import("./notices.ts");
    (await openedAs(version, fill)).close();
    const [identity, again] = [await establishIdentity(url), await establishIdentity(url)];
    expect(again).toEqual(identity);
    await expect(findIdentity(url)).resolves.toEqual(identity);
    await keepNotice(notice("a", 1));
    await expect(listNotices()).resolves.toEqual([notice("a", 1)]);
  },
);

it("keeps the identity and another program's store when it makes a missing store", async () => {
  const { establishIdentity, findIdentity } = await import("./identities.ts");
  const { listNotices } = await import("./notices.ts");
  const identity = await establishIdentity(url);
  const other = await openedAs(9, (database) => {
    database.createObjectStore("carts").put("bread", "first");
    if (database.objectStoreNames.contains("notices")) database.deleteObjectStore("notices");
  });
  other.close();
  await expect(listNotices()).resolves.toEqual([]);
  await expect(findIdentity(url)).resolves.toEqual(identity);
  const after = await openedAs(undefined, () => undefined);
  const bread = after.transaction("carts").objectStore("carts").get("first");
  await vi.waitFor(() => expect(bread.result).toBe("bread"));
});

it("makes one identity if two tabs come to another program's database at the same time", async () => {
  const { establishIdentity } = await import("./identities.ts");
  (await openedAs(1, () => undefined)).close();
  const [one, other] = await Promise.all([establishIdentity(url), establishIdentity(url)]);
  expect(other).toEqual(one);
});

it("makes a fresh database in version 1, with both stores", async () => {
  const { findIdentity } = await import("./identities.ts");
  await findIdentity(url);
  const database = await openedAs(undefined, () => undefined);
  expect([database.version, [...database.objectStoreNames]]).toEqual([
    1,
    ["identities", "notices"],
  ]);
});

it("keeps a good store if the version that it asks for was meant for another database", async () => {
  const { establishIdentity, findIdentity } = await import("./identities.ts");
  (await openedAs(3, () => undefined)).close();
  // A reader has seen version 3 and asks for 4. Before it gets that, the database is deleted and made anew.
  const asked = holdBack(4);
  const reading = findIdentity(url);
  await asked.seen;
  await new Promise((resolve) => {
    indexedDB.deleteDatabase("sineta").onsuccess = resolve;
  });
  const identity = await establishIdentity(url);
  asked.goOn();
  await reading;
  await expect(findIdentity(url)).resolves.toEqual(identity);
});

it("takes a higher version that another tab has made meanwhile", async () => {
  const { establishIdentity, findIdentity } = await import("./identities.ts");
  (await openedAs(3, () => undefined)).close();
  const asked = holdBack(4);
  const reading = findIdentity(url);
  await asked.seen;
  (await openedAs(8, () => undefined)).close();
  const identity = establishIdentity(url);
  asked.goOn();
  await reading;
  await expect(findIdentity(url)).resolves.toEqual(await identity);
});

it("closes a database that opens too late, so that it holds nothing back", async () => {
  const waiting = vi.spyOn(globalThis, "setTimeout");
  const close = vi.fn();
  const request = { result: { close }, onsuccess: () => undefined };
  vi.stubGlobal("indexedDB", { open: () => request });
  const { findIdentity } = await import("./identities.ts");
  const finding = findIdentity(url);
  waiting.mock.lastCall?.[0]();
  await expect(finding).rejects.toMatchObject({ code: "storage-failed", cause: undefined });
  request.onsuccess();
  expect(close).toHaveBeenCalledOnce();
});

it("says storage-failed with the browser's own error if the database cannot be opened", async () => {
  const error = new DOMException("The user denied permission.", "UnknownError");
  vi.stubGlobal("indexedDB", {
    open() {
      const request = { error, onerror: () => undefined };
      queueMicrotask(() => request.onerror());
      return request;
    },
  });
  const { findIdentity } = await import("./identities.ts");
  await expect(findIdentity(url)).rejects.toMatchObject({ code: "storage-failed", cause: error });
});

it("says storage-failed where IndexedDB does not answer within 10 s", async () => {
  const waiting = vi.spyOn(globalThis, "setTimeout");
  vi.stubGlobal("indexedDB", { open: () => ({}) });
  const { findIdentity } = await import("./identities.ts");
  const finding = findIdentity(url);
  const [giveUp, ms] = waiting.mock.lastCall ?? [];
  expect(ms).toBe(10_000);
  giveUp?.();
  await expect(finding).rejects.toMatchObject({ code: "storage-failed" });
});

it("keeps no other tab from deleting the database, and makes it anew", async () => {
  const { establishIdentity, findIdentity } = await import("./identities.ts");
  const { clientSecret } = await establishIdentity(url);
  await new Promise<void>((resolve, reject) => {
    const deletion = indexedDB.deleteDatabase("sineta");
    deletion.onsuccess = () => resolve();
    deletion.onblocked = () => reject(new Error("The database is held"));
  });
  await expect(findIdentity(url)).resolves.toBe(undefined);
  expect((await establishIdentity(url)).clientSecret).not.toBe(clientSecret);
});
