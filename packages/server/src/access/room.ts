import { RateLimiterRes, type RateLimiterMemory } from "rate-limiter-flexible";

/** Takes up room for one more. @returns null: there was room; else in how many seconds there will be */
export async function secondsUntilRoom(
  limiter: RateLimiterMemory,
  key: string,
): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}
