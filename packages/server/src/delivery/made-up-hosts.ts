import type { Delivered, DeliveryStore } from "../store/port.ts";
import { isBelowWildcard } from "../webpush/push-hosts.ts";
import type { Evidence } from "./evidence.ts";
import { neverAccepted, type MadeUpHost } from "./page.ts";

export type MadeUpParts = {
  store: Pick<DeliveryStore, "hasGivenUp" | "giveUp" | "lastAcceptedAt">;
  now: () => number;
};

/** Push origins of a page that may be made up: below a vendor's wildcard, and without anything accepted yet. */
export async function madeUpAmong(
  evidence: ReadonlyMap<string, Evidence>,
  { store }: MadeUpParts,
): Promise<Map<string, MadeUpHost>> {
  const hosts = new Map<string, MadeUpHost>();
  for (const [pushOrigin, known] of evidence) {
    if (known.isKnown() || !isBelowWildcard(pushOrigin)) continue;
    hosts.set(pushOrigin, {
      isGivenUp: await store.hasGivenUp(pushOrigin),
      othersAcceptedAtMs: await store.lastAcceptedAt(),
    });
  }
  return hosts;
}

/** Keeps that this message has given up a host, so that later messages try it once. */
export async function giveUpIf(
  pushOrigin: string,
  delivered: readonly Delivered[],
  hosts: ReadonlyMap<string, MadeUpHost>,
  { store, now }: MadeUpParts,
): Promise<void> {
  if (hosts.get(pushOrigin)?.isGivenUp !== false) return;
  const gaveUp = delivered.some((each) => each.kind === "failed" && each.reason === neverAccepted);
  if (gaveUp) await store.giveUp(pushOrigin, now());
}
