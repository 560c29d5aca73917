import { createHash } from "node:crypto";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { secondsUntilRoom } from "../room.ts";
import { addressBlock } from "./address-block.ts";

/** How many attempts are taken within `windowSeconds`, wrong ones but for `begun`; docs/operating.md says so, too. */
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
  /** Sessions that begin, for one account: each is a row, and a line of the audit. */
  begun: 60,
} as const;

type Bucket = Exclude<keyof typeof logInLimits, "windowSeconds" | "begun">;

/** An attempt that was let through: it counts as a wrong one until it is taken back. */
export type Attempt = { takeBack(): Promise<void> };

export type LogInThrottle = {
  /**
   * Counts an attempt before the password is looked at, so that many at once do not outrun the count.
   * @param from the device's id if its cookie is this account's: it is counted alone, and no stranger can use it up.
   *   Without an address (many share it, and are not told apart) the account's own bound is the only one
   */
  attempt(
    account: string,
    from: { address: string | null; device: string | null },
  ): Promise<Attempt | { retryAfterSeconds: number }>;
};

export function createLogInThrottle(): LogInThrottle {
  const bucketsOf = {
    address: makeBucket("address"),
    addressAndAccount: makeBucket("addressAndAccount"),
    shared: makeBucket("shared"),
    account: makeBucket("account"),
    device: makeBucket("device"),
  };

  return {
    async attempt(account, { address, device }) {
      const accountKey = keyOf(account);
      const keys = keysOf(address, device, accountKey);
      for (const [bucket, key] of keys) {
        const retryAfterSeconds = await secondsUntilRoom(bucketsOf[bucket], key);
        if (retryAfterSeconds !== null) return { retryAfterSeconds };
      }
      return {
        async takeBack() {
          for (const [bucket, key] of keys) await bucketsOf[bucket].reward(key);
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
  accountKey: string,
): readonly [Bucket, string][] {
  if (device !== null) return [["device", `${device} ${accountKey}`]];
  if (address === null) {
    return [
      ["shared", ""],
      ["account", accountKey],
    ];
  }
  const block = addressBlock(address);
  return [
    ["address", block],
    ["addressAndAccount", `${block} ${accountKey}`],
    ["account", accountKey],
  ];
}

function makeBucket(bucket: Bucket): RateLimiterMemory {
  return new RateLimiterMemory({
    points: logInLimits[bucket],
    duration: logInLimits.windowSeconds,
  });
}

/** Whatever somebody types takes the same little room. */
function keyOf(account: string): string {
  return createHash("sha256").update(account).digest("base64url");
}
