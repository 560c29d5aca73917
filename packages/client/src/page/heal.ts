import { isNotAllowed } from "../errors.ts";
import { oneAfterTheOther } from "../lock.ts";
import type { Healing } from "../loss.ts";
import { findIdentity, isConfirmed } from "../storage/identities.ts";
import { lookIfDue, type LookTarget } from "./look.ts";

/** What a look is about, and how to register anew. */
export type HealTarget = LookTarget & {
  /** Resolves to the token; to null if the visitor has turned notifications off. The caller holds the lock `registration`. */
  register: () => Promise<string | null>;
};

/**
 * Looks, heals what is lost, and tells of it. Writes no line to the console.
 *
 * @throws MessagingError `worker-failed`, `subscribe-failed`, `storage-failed`, from looking alone
 */
export async function lookAndHeal(
  target: HealTarget,
  patienceMs: number,
  tell: (healing: Healing) => void,
): Promise<void> {
  const cause = await lookIfDue(target, patienceMs);
  if (!cause) return;
  tell({ cause, token: null, error: null });
  try {
    const token = await oneAfterTheOther("registration", async () => {
      const identity = await findIdentity(target.registrationsUrl);
      // The visitor has left meanwhile.
      if (!isConfirmed(identity)) return null;
      // A click or another tab has healed it.
      if (!identity.lost) return identity.confirmed.token;
      return target.register();
    });
    if (token) tell({ cause, token, error: null });
  } catch (error) {
    // Permission was withdrawn meanwhile: that is "none", not a failure.
    if (!isNotAllowed(error)) tell({ cause, token: null, error });
  }
}
