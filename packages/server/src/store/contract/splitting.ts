/** Hosts of one vendor that part in the middle of a batch. */
import type { Split } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { acceptedAt, mustLease, planMessage, writePage, type Came } from "./delivering.ts";

export const [east, west, north] = [
  "https://wns2-east.notify.windows.com",
  "https://wns2-west.notify.windows.com",
  "https://wns2-north.notify.windows.com",
] as const;

/** Free, from the start on, if nothing else is said. */
export function split(pushOrigin: string, over: Partial<Split> = {}): Split {
  return { pushOrigins: [pushOrigin], cursor: 0, leaseUntilMs: null, ...over };
}

export function splittingOn(bench: () => ContractBench) {
  /** Registrations 1 to 6 at hosts of one vendor that are known, taking turns; a message that is planned for them. */
  async function planned(ttlSeconds = 3_600) {
    await bench().prove(east, west);
    for (let count = 0; count < 3; count += 1) {
      await bench().add({ pushOrigin: east });
      await bench().add({ pushOrigin: west });
    }
    return planMessage(bench(), { ttlSeconds });
  }

  const first = () => mustLease(bench().store, 1_000);

  /** Writes a page of which all at `east` was accepted, and the west goes on alone. */
  async function withWestApart(over: Partial<Split> = {}, also: readonly Came[] = []) {
    const message = await planned();
    const batch = await first();
    const walked = [acceptedAt(east, 1), acceptedAt(east, 3), ...also];
    const splits = [split(west, over)];
    const written = await writePage(bench().store, batch, { to: 4, walked, splits }, 1_000);
    return { message, batch, apart: written?.splits[0] ?? null };
  }

  return { planned, first, withWestApart };
}
