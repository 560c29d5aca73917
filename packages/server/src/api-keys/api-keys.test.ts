import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "../store/sqlite/open.ts";
import type { Store } from "../store/port.ts";
import { createApiKeys, type ApiKeys } from "./api-keys.ts";

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

describe("API keys", () => {
  test("are 32 random bytes behind a mark; their beginning tells them apart", async () => {
    const fixed = createApiKeys({
      store: store.apiKeys,
      randomBytes: (count) => Buffer.alloc(count, 0xfb),
      now: () => nowMs,
    });
    expect(await fixed.create(projectId, "shop")).toEqual({
      key: `sineta_${Buffer.alloc(32, 0xfb).toString("base64url")}`,
      prefix: "sineta_-_v7-_v7",
    });
    const [one, other] = [await keys.create(projectId, ""), await keys.create(projectId, "")];
    expect(one.key).toMatch(/^sineta_[A-Za-z0-9_-]{43}$/);
    expect(one.key).not.toBe(other.key);
    expect(one.key.startsWith(one.prefix)).toBe(true);
  });

  test("let in whoever holds them, and nobody with a part of one", async () => {
    const { key, prefix } = await keys.create(projectId, "shop");
    expect(await keys.authenticate(projectId, key)).toMatchObject({
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
    for (const each of wrong) expect(await keys.authenticate(projectId, each)).toBeNull();
  });

  test("are their project's own", async () => {
    const { id: other } = await store.projects.ensure("other", 0);
    const { key, prefix } = await keys.create(projectId, "shop");
    expect(await keys.authenticate(other, key)).toBeNull();
    expect(await keys.revoke(other, prefix)).toBe(false);
    expect(await keys.list(other)).toEqual([]);
    // What was refused was not used.
    expect(await keys.list(projectId)).toMatchObject([{ lastUsedAtMs: null }]);
    expect(await keys.authenticate(projectId, key)).not.toBeNull();
  });

  test("that are revoked let nobody in, at once", async () => {
    const [first, second] = [await keys.create(projectId, "a"), await keys.create(projectId, "b")];
    nowMs = 2_000;
    expect(await keys.revoke(projectId, first.prefix)).toBe(true);
    expect(await keys.authenticate(projectId, first.key)).toBeNull();
    expect(await keys.authenticate(projectId, second.key)).not.toBeNull();
    expect(await keys.list(projectId)).toMatchObject([
      { name: "a", createdAtMs: 1_000, revokedAtMs: 2_000 },
      { name: "b", createdAtMs: 1_000, revokedAtMs: null },
    ]);
  });

  test("tell when they were used", async () => {
    const { key } = await keys.create(projectId, "shop");
    nowMs = 5_000;
    await keys.authenticate(projectId, key);
    expect(await keys.list(projectId)).toMatchObject([{ createdAtMs: 1_000, lastUsedAtMs: 5_000 }]);
  });

  test("let in where nothing more can be written", async () => {
    const { key } = await keys.create(projectId, "shop");
    const full = createApiKeys({
      store: {
        ...store.apiKeys,
        touch: () => Promise.reject(new Error("database or disk is full")),
      },
      randomBytes,
      now: () => nowMs,
    });
    expect(await full.authenticate(projectId, key)).toMatchObject({ name: "shop" });
  });

  test("lie nowhere in the database", async () => {
    const { key, prefix } = await keys.create(projectId, "shop");
    await keys.authenticate(projectId, key);
    const files = ["sineta.db", "sineta.db-wal"].map((name) => readFile(join(folder, name)));
    const text = Buffer.concat(await Promise.all(files)).toString("latin1");
    expect(text).toContain(prefix);
    expect(text).not.toContain(key.slice(prefix.length));
  });
});
