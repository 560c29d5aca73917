import type { MessageRequest, Published } from "@sineta/protocol";
import type { Config } from "../config.ts";
import { isServing } from "../serve-lock.ts";
import type { OpenMessages } from "./open-messages.ts";
import { timeOf } from "./table.ts";

/** A sentence that says when a message that was just published goes, or what it waits for. */
export async function whenItGoes(
  { store }: Pick<OpenMessages, "store">,
  { dataFolder }: Pick<Config, "dataFolder">,
  published: Published,
  { scheduleAtLocal }: Pick<MessageRequest, "scheduleAtLocal">,
): Promise<{ text: string; /** The server sends it now. */ isUnderWay: boolean }> {
  const { id } = published;
  const schedule = scheduleText(published, scheduleAtLocal, Date.now());
  if ((await store.hold.find()) !== null) {
    const text = `${id} waits: delivery is held, sineta resume ends that.`;
    return { text, isUnderWay: false };
  }
  if (!isServing(dataFolder)) {
    const when = schedule === null ? "" : ` ${schedule}`;
    const text = `${id} waits: no server runs on ${dataFolder}, sineta serve will send it${when}.`;
    return { text, isUnderWay: false };
  }
  if (schedule !== null) return { text: `${id} goes ${schedule}.`, isUnderWay: false };
  return { text: `${id} is with the server.`, isUnderWay: true };
}

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
