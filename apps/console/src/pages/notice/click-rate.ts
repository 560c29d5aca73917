import type { MessageSummary } from "@sineta/protocol";

/** With fewer displays a rate is chance. */
const fewestDisplayed = 10;
/** With fewer notices there is no usual rate. */
const fewestNotices = 3;

type Receipts = Pick<MessageSummary["receipts"], "displayed" | "clicked">;

/**
 * Gives the clicks as a share of the displays, from 0 to 1. Undefined with fewer than 10 displays, and with more clicks than displays:
 * then reports of displays got lost.
 */
export function clickRate({ displayed, clicked }: Receipts): number | undefined {
  if (displayed < fewestDisplayed || clicked > displayed) return undefined;
  return clicked / displayed;
}

/** The mean of the notices' click rates; undefined where fewer than 3 notices have one. */
export function usualClickRate(notices: readonly { receipts: Receipts }[]): number | undefined {
  const rates = notices
    .map(({ receipts }) => clickRate(receipts))
    .filter((rate) => rate !== undefined);
  if (rates.length < fewestNotices) return undefined;
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}
