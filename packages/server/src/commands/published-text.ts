import type { MessageRequest, Published } from "@sineta/protocol";
import type { Config } from "../config.ts";
import { isServing } from "../serve-lock.ts";
import type { OpenMessages } from "./open-messages.ts";
import { printable, timeOf } from "./table.ts";

/** Sentences that say when a message that was just published goes, or what it waits for. */
export async function whenItGoes(
  { store }: Pick<OpenMessages, "store">,
  { dataFolder }: Pick<Config, "dataFolder">,
  published: Published,
  { scheduleAtLocal, replaces }: Pick<MessageRequest, "scheduleAtLocal" | "replaces">,
): Promise<{ text: string; /** The server sends it now, or has sent it. */ hasBegun: boolean }> {
  const { id, state } = published;
  const isOver = state === "done" || state === "cancelled";
  const hold = isOver ? null : await store.hold.find();
  const schedule = scheduleText(published, scheduleAtLocal, Date.now());
  const told = (sentences: readonly string[], hasBegun = false) => ({
    text: [...sentences, ...(replaces === undefined ? [] : [`It replaces ${replaces}.`])].join(" "),
    hasBegun,
  });
  if (isOver) return told([`${id} has ended: sineta messages ${id} tells how.`], true);
  if (hold !== null) {
    return told([
      `${id} waits: delivery is held, sineta resume ends that.`,
      ...(schedule === null ? [] : [`It is due ${schedule}.`]),
      ...(replaces === undefined || hold.reason === "asked" ? [] : [mayBeCancelled]),
    ]);
  }
  if (!isServing(dataFolder)) {
    const when = schedule === null ? "" : ` ${schedule}`;
    return told([
      `${id} waits: no server runs on ${dataFolder}, sineta serve will send it${when}.`,
    ]);
  }
  if (schedule !== null) return told([`${id} goes ${schedule}.`]);
  return told([`${id} is with the server.`], true);
}

const mayBeCancelled =
  "sineta resume cancels it if another server may have sent the message that it replaces, and lists that first.";

/** When it will go; null where that is now. */
function scheduleText(
  { state, scheduleAt }: Published,
  localTime: string | undefined,
  nowMs: number,
): string | null {
  const dueMs = Date.parse(scheduleAt);
  if (state !== "scheduled") return null;
  if (localTime !== undefined) {
    return `when it is ${localTime} where each reader is, first at ${timeOf(dueMs)}`;
  }
  return dueMs > nowMs ? `at ${timeOf(dueMs)}` : null;
}

/** Whoever of the tokens got nothing, which is no failure: browsers leave. Empty if that is nobody. */
export function unknownText(unknown: Published["unknown"]): string {
  if (unknown === undefined) return "";
  const { count, tokens } = unknown;
  const which = count === 1 ? "this token" : `these ${count} tokens`;
  const more = count - tokens.length;
  return [
    `sineta: There is no registration with ${which}: check them; a browser that has left comes back under another one.`,
    ...tokens.map(printable),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
    .map((line) => `${line}\n`)
    .join("");
}
