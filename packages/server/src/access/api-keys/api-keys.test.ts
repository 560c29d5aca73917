import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import type { Asker, Store } from "../../store/port.ts";
import { createApiKeys, type ApiKeys, type NewKey } from "./api-keys.ts";

let folder: string;
let store: Store;
let projectId: number;
let nowMs: number;
let keys: ApiKeys;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sineta-api-keys-"));
  store = await openSqliteStore(join(folder, "sineta.db"), 0);
  ({ id: projectId } = await store.projects.ensure("default", 0));
  nowMs = 1_000;
  keys = createApiKeys({ store: store.apiKeys, randomBytes, now: () => nowMs });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const asker: Asker = {
  actor: { kind: "operator", name: "dona@example.com" },
  address: "192.0.2.7",
};
const keep = { cancelMessages: false };
const make = (name: string, over: Partial<NewKey> = {}) =>
  keys.create(projectId, { name, scopes: ["send", "read"], expiresAtMs: null, ...over }, asker);

describe("API keys", () => {
  test("are 32 random bytes behind a mark; their beginning tells them apart", async () => {
    const fixed = createApiKeys({
      store: store.apiKeys,
      randomBytes: (count) => Buffer.alloc(count, 0xfb),
      now: () => nowMs,
    });
    expect(
      await fixed.create(projectId, { name: "shop", scopes: ["send"], expiresAtMs: null }, asker),
    ).toEqual({
      key: `sineta_${Buffer.alloc(32, 0xfb).toString("base64url")}`,
      prefix: "sineta_-_v7-_v7",
    });
    const [one, other] = [await make(""), await make("")];
    expect(one.key).toMatch(/^sineta_[A-Za-z0-9_-]{43}$/);
    expect(one.key).not.toBe(other.key);
    expect(one.key.startsWith(one.prefix)).toBe(true);
  });

  test("let in whoever holds them, and nobody with a part of one", async () => {
    const { key, prefix } = await make("shop");
    expect(await keys.authenticate(key)).toMatchObject({
      projectId,
      name: "shop",
      prefix,
    });
    const hash = createHash("sha256").update(key).digest();
    const wrong = [
      "",
      prefix,
      key.slice(0, -1),
      `${key}A`,
      key.toLowerCase(),
      key.slice("sineta_".length),
      hash.toString("base64url"),
      hash.toString("latin1"),
      "x".repeat(100_000),
    ];
    for (const each of wrong) expect(await keys.authenticate(each)).toBeNull();
  });

  test("are their project's own", async () => {
    const { id: other } = await store.projects.ensure("other", 0);
    const { key, prefix } = await make("shop");
    expect(await keys.authenticate(key)).toMatchObject({ projectId });
    expect(await keys.revoke(other, prefix, keep, asker)).toBeNull();
    expect(await keys.rotate(other, prefix, { graceMs: 0 }, asker)).toBeNull();
    expect(await keys.list(other)).toEqual([]);
    expect(await keys.authenticate(key)).not.toBeNull();
  });

  test("that are revoked let nobody in, at once", async () => {
    const [first, second] = [await make("a"), await make("b")];
    nowMs = 2_000;
    expect(await keys.revoke(projectId, first.prefix, keep, asker)).not.toBeNull();
    expect(await keys.authenticate(first.key)).toBeNull();
    expect(await keys.authenticate(second.key)).not.toBeNull();
    expect(await keys.list(projectId)).toMatchObject([
      { name: "a", createdAtMs: 1_000, revokedAtMs: 2_000 },
      { name: "b", createdAtMs: 1_000, revokedAtMs: null },
    ]);
  });

  test("tell when they were used", async () => {
    const { key } = await make("shop");
    nowMs = 5_000;
    const { id = 0 } = (await keys.authenticate(key)) ?? {};
    // Whoever is refused for another reason did not use it.
    expect(await keys.list(projectId)).toMatchObject([{ lastUsedAtMs: null }]);
    await keys.used(id);
    expect(await keys.list(projectId)).toMatchObject([{ createdAtMs: 1_000, lastUsedAtMs: 5_000 }]);
  });

  test("let in where nothing more can be written", async () => {
    const { key } = await make("shop");
    const full = createApiKeys({
      store: {
        ...store.apiKeys,
        touch: () => Promise.reject(new Error("database or disk is full")),
      },
      randomBytes,
      now: () => nowMs,
    });
    const { id = 0 } = (await full.authenticate(key)) ?? {};
    await expect(full.used(id)).resolves.toBeUndefined();
  });

  test("have their scopes, each once, and end when they expire", async () => {
    const { key } = await make("shop", {
      scopes: ["manage", "send", "manage"],
      expiresAtMs: 3_000,
    });
    nowMs = 2_999;
    expect(await keys.authenticate(key)).toMatchObject({
      scopes: ["manage", "send"],
      expiresAtMs: 3_000,
    });
    nowMs = 3_000;
    expect(await keys.authenticate(key)).toBeNull();
    expect(await keys.list(projectId)).toMatchObject([{ expiresAtMs: 3_000, revokedAtMs: null }]);
  });

  test("are rotated: the successor is like the old one, which is good for a while", async () => {
    const { key, prefix } = await make("shop", { scopes: ["send"], expiresAtMs: 90_000 });
    const made = await keys.rotate(projectId, prefix, { graceMs: 5_000 }, asker);
    expect(await keys.list(projectId)).toMatchObject([
      { prefix, expiresAtMs: 6_000 },
      { prefix: made?.prefix, name: "shop", scopes: ["send"], expiresAtMs: 90_000 },
    ]);
    nowMs = 5_999;
    expect(await keys.authenticate(key)).not.toBeNull();
    nowMs = 6_000;
    expect(await keys.authenticate(key)).toBeNull();
    expect(await keys.authenticate(made?.key ?? "")).toMatchObject({ name: "shop" });
    // What is over is not rotated, nor what never was; and no grace is longer than the key's own time.
    expect(await keys.rotate(projectId, prefix, { graceMs: 5_000 }, asker)).toBeNull();
    expect(await keys.rotate(projectId, "sineta_", { graceMs: 5_000 }, asker)).toBeNull();
    await keys.rotate(projectId, made?.prefix ?? "", { graceMs: 500_000 }, asker);
    expect((await keys.list(projectId))[1]).toMatchObject({ expiresAtMs: 90_000 });
  });

  test("leave a line in the audit for what was done to them, and none for what was not", async () => {
    const { prefix } = await make("shop", { scopes: ["send"], expiresAtMs: 86_400_000 });
    const made = await keys.rotate(projectId, prefix, { graceMs: 1_000 }, asker);
    await keys.revoke(projectId, prefix, keep, asker);
    await keys.revoke(projectId, prefix, keep, asker);
    await keys.rotate(projectId, "sineta_", { graceMs: 1_000 }, asker);
    const line = { ...asker, projectId, atMs: 1_000, subject: prefix };
    expect(await store.audit.list([projectId], { limit: 10 })).toEqual([
      { ...line, id: 3, action: "api-key.revoked", change: null },
      {
        ...line,
        id: 2,
        action: "api-key.rotated",
        change: { successor: made?.prefix, goodUntil: "1970-01-01T00:00:02.000Z" },
      },
      {
        ...line,
        id: 1,
        action: "api-key.created",
        change: { name: "shop", scopes: ["send"], expiresAt: "1970-01-02T00:00:00.000Z" },
      },
    ]);
  });

  test("lie nowhere in the database", async () => {
    const { key, prefix } = await make("shop");
    await keys.authenticate(key);
    const files = ["sineta.db", "sineta.db-wal"].map((name) => readFile(join(folder, name)));
    const text = Buffer.concat(await Promise.all(files)).toString("latin1");
    expect(text).toContain(prefix);
    expect(text).not.toContain(key.slice(prefix.length));
  });
});
