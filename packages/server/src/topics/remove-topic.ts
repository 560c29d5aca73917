import type { AuditAt, Topic, TopicStore } from "../store/port.ts";

/** So many memberships end in some 50 ms, for which a running server cannot write. */
const usualPortion = 10_000;

/**
 * Removes a topic and all who are in it: in portions, since a million at once would hold up a running server for
 * seconds. If it ends halfway, do it again.
 * @param pause lets the server have its turn
 */
export async function removeTopic(
  store: TopicStore,
  { id }: Topic,
  pause: () => Promise<unknown>,
  { audit, portion = usualPortion }: { audit?: AuditAt; portion?: number } = {},
): Promise<void> {
  while ((await store.empty(id, portion)) === portion) await pause();
  await store.remove(id, audit);
}
