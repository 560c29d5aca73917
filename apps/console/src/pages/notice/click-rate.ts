import type { MessageSummary } from "@sineta/protocol";

/** With fewer displays a rate is chance. */
const fewestDisplayed = 10;
/** With fewer notices there is no usual rate. */
const fewestNotices = 3;

type Receipts = Pick<MessageSummary["receipts"], "displayed" | "clicked">;

/**
 * Gives the clicks as a share of the displays, from 0 to 1; undefined with fewer than 10 displays.
 * It is never more than 1, though a report of a display may get lost and the report of its click arrive.
 */
export function clickRate({ displayed, clicked }: Receipts): number | undefined {
  return displayed < fewestDisplayed ? undefined : Math.min(1, clicked / displayed);
}

/** The mean of the notices' click rates; undefined where fewer than 3 notices have one. */
export function usualClickRate(notices: readonly { receipts: Receipts }[]): number | undefined {
  const rates = notices
    .map(({ receipts }) => clickRate(receipts))
    .filter((rate) => rate !== undefined);
  if (rates.length < fewestNotices) return undefined;
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}
