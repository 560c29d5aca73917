import type { Store } from "../store/port.ts";
import { defaultProjectName, type ActiveProject } from "./project.ts";
import { openVapidKeys } from "./vapid-keys.ts";

/** The project `default` with its keys, both made if they are not there. @throws CommandError `secret-unusable` */
export async function openDefaultProject(parts: {
  store: Store;
  dataFolder: string;
  randomBytes: (count: number) => Uint8Array;
  nowMs: number;
}): Promise<Omit<ActiveProject, "origins">> {
  const { id, name } = await parts.store.projects.ensure(defaultProjectName, parts.nowMs);
  return { id, name, keys: await openVapidKeys({ ...parts, projectId: id }) };
}
