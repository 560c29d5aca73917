import { RateLimiterMemory } from "rate-limiter-flexible";
import type { AuditStore } from "../../store/port.ts";
import { addressBlock } from "./address-block.ts";

/** Lines on attempts that failed, in a minute and in a day: a stranger must not fill the disk with them. */
export const auditedFailures = { perAddress: 10, inAll: 200, inAllPerDay: 10_000 } as const;

export type AuditFailure = (
  /** An operator's; null: what was typed is nobody's, and perhaps a password in the wrong field. */
  email: string | null,
  address: string,
  reason: "password" | "second-factor" | "passkey" | "too-many-attempts",
) => Promise<void>;

/** Writes of each log-in that failed, up to a bound. */
export function createLogInAudit({
  audit,
  now,
}: {
  audit: Pick<AuditStore, "append">;
  now: () => number;
}): AuditFailure {
  const perAddress = new RateLimiterMemory({ points: auditedFailures.perAddress, duration: 60 });
  const inAll = new RateLimiterMemory({ points: auditedFailures.inAll, duration: 60 });
  const perDay = new RateLimiterMemory({ points: auditedFailures.inAllPerDay, duration: 86_400 });
  return async (email, address, reason) => {
    // First of all: where there is room for no line, no address is remembered either.
    if ((await inAll.get(""))?.remainingPoints === 0) return;
    if ((await perDay.get(""))?.remainingPoints === 0) return;
    const isCounted =
      (await hasRoom(perAddress, addressBlock(address))) &&
      (await hasRoom(inAll, "")) &&
      (await hasRoom(perDay, ""));
    if (!isCounted) return;
    await audit.append(
      {
        actor: { kind: "nobody", name: "" },
        address,
        projectId: null,
        action: "operator.log-in-refused",
        subject: email ?? "(no operator's)",
        change: { reason },
      },
      now(),
    );
  };
}

async function hasRoom(limiter: RateLimiterMemory, key: string): Promise<boolean> {
  return limiter.consume(key).then(
    () => true,
    () => false,
  );
}
