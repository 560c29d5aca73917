import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ProjectSecretPurpose, Store } from "../store/port.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { openProjectSecret } from "./project-secrets.ts";
import { secretPath } from "../secrets/secret-file.ts";
import { openVault } from "../secrets/vault.ts";

let folder: string;
let stores: Store[];
let projectId: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sineta-secrets-"));
  stores = [];
  projectId = (await (await openStore()).projects.ensure("default", 1)).id;
});
afterEach(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true });
});

/** Each is a connection of its own, as another process has. */
async function openStore(): Promise<Store> {
  const store = await openSqliteStore(join(folder, "sineta.db"), 1);
  stores.push(store);
  return store;
}

async function open(
  purpose: ProjectSecretPurpose = "receipts",
  store: Store | undefined = stores[0],
): Promise<Uint8Array> {
  if (store === undefined) throw new Error("no store is open");
  const vault = openVault({ dataFolder: folder, randomBytes });
  return openProjectSecret({ store, projectId, purpose, vault, randomBytes, nowMs: 2 });
}

describe("a project's secret", () => {
  test("is made at first use, one for each purpose, and the same ever after", async () => {
    const receipts = await open("receipts");
    const users = await open("users");
    expect(receipts).toHaveLength(32);
    expect(users).toHaveLength(32);
    expect(users).not.toEqual(receipts);
    const later = await openStore();
    expect(await open("receipts", later)).toEqual(receipts);
    expect(await open("users", later)).toEqual(users);
  });

  test("is stored sealed, and one purpose's does not open as the other's", async () => {
    const secret = Buffer.from(await open("receipts"));
    const stored = Buffer.from((await stores[0]?.projects.secret(projectId, "receipts")) ?? []);
    expect(stored).toHaveLength(1 + 12 + 32 + 16);
    expect(stored.includes(secret)).toBe(false);
    await stores[0]?.projects.addFirstSecret(projectId, "users", stored, 2);
    await expect(open("users")).rejects.toMatchObject({ code: "secret-unusable" });
  });

  test("is that of the first of two processes that make it at once", async () => {
    // The project has its keys; then both have found no secret before either adds its own.
    await open("users");
    let waiting = 2;
    const both = Promise.withResolvers<void>();
    const added: boolean[] = [];
    const racing = async (): Promise<Store> => {
      const store = await openStore();
      return {
        ...store,
        projects: {
          ...store.projects,
          async addFirstSecret(...given) {
            waiting -= 1;
            if (waiting === 0) both.resolve();
            await both.promise;
            const first = await store.projects.addFirstSecret(...given);
            added.push(first);
            return first;
          },
        },
      };
    };
    const [one, other] = await Promise.all([
      open("receipts", await racing()),
      open("receipts", await racing()),
    ]);
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(one).toEqual(other);
    expect(await open()).toEqual(one);
  });

  test("is refused without the data folder's secret, or with another; none is made anew", async () => {
    await open("receipts");
    rmSync(secretPath(folder));
    for (const purpose of ["receipts", "users"] as const) {
      await expect(open(purpose)).rejects.toMatchObject({
        code: "secret-unusable",
        message: expect.stringContaining("is missing"),
      });
    }
    expect(readdirSync(folder)).not.toContain("secret");

    writeFileSync(secretPath(folder), Buffer.alloc(32, 1).toString("base64url"));
    for (const purpose of ["receipts", "users"] as const) {
      await expect(open(purpose)).rejects.toMatchObject({
        code: "secret-unusable",
        message: expect.stringContaining("does not fit"),
      });
    }
    expect(await stores[0]?.projects.secret(projectId, "users")).toBeNull();
  });
});
