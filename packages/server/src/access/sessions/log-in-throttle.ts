import { createCounts, type Counts } from "../counts.ts";
import { addressBlock } from "./address-block.ts";

/** How many attempts are taken within `windowSeconds`, wrong ones if nothing else is said; docs/operating.md says so, too. */
export const logInLimits = {
  windowSeconds: 15 * 60,
  /** From one address, whatever accounts they are for. */
  address: 30,
  /** From one address, for one account. */
  addressAndAccount: 5,
  /** From all whose addresses cannot be told apart, whatever accounts they are for. */
  shared: 600,
  /** For one account, from all strangers together. */
  account: 20,
  /** For one account, from one browser that has logged in to it before. */
  device: 10,
  /** For one account, right ones too, from all browsers that have logged in to it before. As many in its sessions. */
  known: 120,
  /** Sessions that begin, for one account: each is a row, and a line of the audit. */
  begun: 60,
} as const;

/**
 * Keys that are kept of each kind, some 5 MB at most. Where there are more, all begin with a higher count (counts.ts): by
 * one for each so many attempts within a window, each of which took a turn at a password.
 */
export const keysKept = 20_000;

type Bucket = Exclude<keyof typeof logInLimits, "windowSeconds" | "begun">;

/** An attempt that was let through: it counts as a wrong one until it is shown to be right. */
export type Attempt = { wasRight(): void };

export type LogInThrottle = {
  /**
   * Counts an attempt before the password is looked at, so that many at once do not outrun the count. To be called in the
   * turn at looking: what gets no turn is no attempt, and leaves nothing behind.
   * @param from the device's id if its cookie is this account's: it is counted apart, and no stranger can use it up.
   *   Without an address (many share it, and are not told apart) the account's own bound is the only one
   */
  attempt(
    account: string,
    from: { address: string | null; device: string | null },
  ): Attempt | { retryAfterSeconds: number };
};

/** @param nowMs never goes back */
export function createLogInThrottle({ nowMs }: { nowMs?: () => number } = {}): LogInThrottle {
  const windowMs = logInLimits.windowSeconds * 1000;
  const makeCounts = () => createCounts({ windowMs, mostKeys: keysKept, nowMs });
  const countsOf: Record<Bucket, Counts> = {
    address: makeCounts(),
    addressAndAccount: makeCounts(),
    shared: makeCounts(),
    account: makeCounts(),
    device: makeCounts(),
    known: makeCounts(),
  };

  return {
    attempt(account, { address, device }) {
      const keys = keysOf(address, device, account);
      for (const [bucket, key] of keys) {
        const { count, endsInMs } = countsOf[bucket].add(key);
        if (count > logInLimits[bucket]) return { retryAfterSeconds: Math.ceil(endsInMs / 1000) };
      }
      return {
        wasRight() {
          for (const [bucket, key] of keys) {
            // Whoever knows the password must not ask on and on, either.
            if (bucket !== "known") countsOf[bucket].takeBack(key);
          }
        },
      };
    },
  };
}

/**
 * The address first: whoever is stopped there makes no more room be taken by accounts that there are not. Then the
 * narrower, so that whoever is stopped there uses up nothing of the account's own.
 */
function keysOf(
  address: string | null,
  device: string | null,
  account: string,
): readonly [Bucket, string][] {
  if (device !== null) {
    return [
      ["device", `${device} ${account}`],
      ["known", account],
    ];
  }
  if (address === null) {
    return [
      ["shared", ""],
      ["account", account],
    ];
  }
  const block = addressBlock(address);
  return [
    ["address", block],
    ["addressAndAccount", `${block} ${account}`],
    ["account", account],
  ];
}
