import { limits } from "@sineta/protocol";
import { payloadOf } from "../delivery/payload.ts";
import type { NewMessage, Store } from "../store/port.ts";
import type { MessageProject, MessageRefusal } from "./messages.ts";

/** No name that DNS can hold makes a longer one (RFC 1035, section 2.3.4). */
const longestPossibleOrigin = `https://${"x".repeat(253)}:65535`;

/**
 * Bytes of the largest push of a message, before it is sealed. Links are resolved against the origin of the page that a
 * browser was registered on, so the longest of those decides.
 */
export async function largestPlaintextBytes(
  { registrations }: Pick<Store, "registrations">,
  project: MessageProject,
  message: NewMessage,
): Promise<number> {
  const registered = await registrations.longestOrigin(project.id);
  const origins = [...(await project.origins.all()), ...(registered === null ? [] : [registered])];
  return Math.max(...origins.map((origin) => payloadOf(message, origin).bytes));
}

/** Why a message is too large for push services. */
export async function sizeRefusal(
  store: Pick<Store, "registrations">,
  project: MessageProject,
  message: NewMessage,
): Promise<MessageRefusal | null> {
  // As a rule it fits whatever the origin, and nothing has to be read.
  if (payloadOf(message, longestPossibleOrigin).bytes <= limits.plaintextBytes) return null;
  const bytes = await largestPlaintextBytes(store, project, message);
  const excess = bytes - limits.plaintextBytes;
  if (excess <= 0) return null;
  const sentence = `takes ${bytes} bytes, ${excess} more than the ${limits.plaintextBytes} that push services carry`;
  return {
    kind: "refused",
    code: "notification-too-large",
    fields: [{ path: "notification", message: sentence }],
  };
}
