import { randomUUIDv7 } from "node:crypto";
import type { NewMessage } from "../port.ts";

/** A message to every registration of the project, valid for a day, due at 1970 unless `over` says otherwise. */
export function newMessage(projectId: number, over: Partial<NewMessage> = {}): NewMessage {
  return {
    id: randomUUIDv7(),
    projectId,
    target: { kind: "all" },
    notification: { title: "Olá" },
    data: null,
    ttlSeconds: 86_400,
    urgency: "normal",
    collapseKey: null,
    scheduledAtMs: 0,
    localTime: null,
    replaces: null,
    ...over,
  };
}
