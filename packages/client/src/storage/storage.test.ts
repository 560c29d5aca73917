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
