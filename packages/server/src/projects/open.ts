import { openVault, type VaultParts } from "../secrets/vault.ts";
import type { Store } from "../store/port.ts";
import { userKeyOf } from "../users/user-key.ts";
import { defaultProjectName, type ActiveProject } from "./project.ts";
import { openProjectSecret } from "./project-secrets.ts";
import { openVapidKeys } from "./vapid-keys.ts";

/** The project `default` with its keys and secrets, all made if they are not there. @throws CommandError `secret-unusable` */
export async function openDefaultProject(
  parts: VaultParts & { store: Store; nowMs: number },
): Promise<Omit<ActiveProject, "origins">> {
  const { id, name } = await parts.store.projects.ensure(defaultProjectName, parts.nowMs);
  const own = { ...parts, vault: openVault(parts), projectId: id };
  const keys = await openVapidKeys(own);
  const receiptSecret = await openProjectSecret({ ...own, purpose: "receipts" });
  const userKey = userKeyOf(await openProjectSecret({ ...own, purpose: "users" }));
  return { id, name, keys, receiptSecret, userKey };
}
