import { useEffect, useState } from "react";

/** The time, renewed every half minute so that "há 5 minutos" stays true. Epoch milliseconds. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
