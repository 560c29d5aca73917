import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOTP, URI } from "otpauth";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDataFolder } from "../../data-folder.ts";
import { openDefaultProject } from "../../projects/open.ts";
import { rotateSecret } from "../../secrets/rotate.ts";
import { openVault } from "../../secrets/vault.ts";
import type { Store } from "../../store/port.ts";
import { createSecondFactors } from "./second-factors.ts";

const asker = { actor: { kind: "command-line", name: "test" }, address: null } as const;
const email = "baker@site.example";

let folder: string;
let store: Store;
let nowMs: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sineta-second-factors-"));
  nowMs = Date.UTC(2026, 10, 20, 12);
  store = await openDataFolder(folder, nowMs);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** As a server that starts now has them. */
const started = () =>
  createSecondFactors({
    store: store.secondFactors,
    operators: store.operators,
    vault: openVault({ dataFolder: folder, randomBytes }),
    issuer: "Sineta",
    randomBytes,
    now: () => nowMs,
  });

test("a second factor outlasts the secret that it was sealed with, confirmed or not", async () => {
  const opened = { store, dataFolder: folder, randomBytes, nowMs };
  const { id: projectId } = await openDefaultProject(opened);
  const id = await store.operators.add(
    { email, name: "Baker", passwordHash: "hash" },
    { projectId, role: "owner" },
    { ...asker, projectId, action: "operator.created", subject: email, change: null },
    nowMs,
  );
  const before = started();
  const offer = await before.offer({ id: id ?? 0, email });
  const totp = URI.parse(offer?.uri ?? "");
  const code = () => (totp instanceof TOTP ? totp.generate({ timestamp: nowMs }) : "");
  const sealing = { store: store.sealed, dataFolder: folder, secret: null, oldSecret: null };
  const rotate = () => rotateSecret({ ...sealing, asker, randomBytes, nowMs });

  await rotate();
  await expect(
    before.confirm({ id: id ?? 0, sessionId: null }, code(), asker),
  ).rejects.toMatchObject({
    code: "secret-unusable",
  });
  expect(await started().confirm({ id: id ?? 0, sessionId: null }, code(), asker)).toMatchObject({
    recoveryCodes: expect.any(Array),
  });
  nowMs += 30_000;
  await rotate();
  const operator = await store.operators.findById(id ?? 0);
  const sealedTotpSecret = operator?.sealedTotpSecret ?? null;
  expect(await started().check({ id: id ?? 0, sealedTotpSecret }, code())).toBe("totp");
});
