import { useEffect, useState } from "react";

/** The time, in milliseconds since 1970, for what is said in relation to it; anew every so often, by default four times a minute. */
export function useNow(everyMs = 15_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(ticking);
  }, [everyMs]);
  return nowMs;
}
