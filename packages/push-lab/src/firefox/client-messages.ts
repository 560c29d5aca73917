import { MalformedInput } from "../malformed-input.ts";

/** What Firefox says on its connection (PushServiceWebSocket.sys.mjs; autoconnect-common/src/protocol.rs in autopush-rs). */
export type ClientMessage =
  | { readonly type: "hello"; readonly uaid: string | undefined }
  /** `key` is the VAPID public key in base64url without padding, or an empty string where there was none. */
  | { readonly type: "register"; readonly channelId: string; readonly key: string }
  | { readonly type: "unregister"; readonly channelId: string }
  | { readonly type: "ack"; readonly updates: readonly Verdict[] }
  | { readonly type: "nack"; readonly verdict: Verdict }
  | { readonly type: "ping" }
  /** Asks for Mozilla's own news; there are none. */
  | { readonly type: "broadcast_subscribe" };

/** What the browser says of one message, by its version. */
export type Verdict = { readonly version: string; readonly code: number };

/** The worker was told. */
export const deliveredCode = 100;
/** No worker was told; also how Firefox answers a message that it has had before. */
export const notDeliveredCode = 102;
/** The worker was told, and failed on it. */
const failedCode = 302;

/**
 * Reads one text frame.
 *
 * @throws MalformedInput
 */
export function readClientMessage(text: string): ClientMessage {
  const message = asRecord(parse(text));
  const type = message["messageType"];
  switch (type) {
    case undefined:
      if (Object.keys(message).length > 0) throw new MalformedInput("a message without its type");
      return { type: "ping" };
    case "ping":
    case "broadcast_subscribe":
      return { type };
    case "hello":
      return { type, uaid: textOf(message, "uaid") };
    case "register":
      return { type, channelId: channelIdOf(message), key: unpadded(textOf(message, "key") ?? "") };
    case "unregister":
      return { type, channelId: channelIdOf(message) };
    case "ack":
      return { type, updates: updatesOf(message) };
    case "nack":
      return { type, verdict: verdictOf(message, failedCode) };
    default:
      throw new MalformedInput(`a message of type ${JSON.stringify(type)}`);
  }
}

function updatesOf({ updates }: Fields): readonly Verdict[] {
  if (!Array.isArray(updates)) throw new MalformedInput("an ack without updates");
  return updates.map((update: unknown) => verdictOf(asRecord(update), deliveredCode));
}

function verdictOf(fields: Fields, usualCode: number): Verdict {
  const { code = usualCode } = fields;
  const version = textOf(fields, "version");
  if (version === undefined || typeof code !== "number")
    throw new MalformedInput("an ack or nack without version or with a code that is no number");
  return { version, code };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function channelIdOf(fields: Fields): string {
  const channelId = textOf(fields, "channelID") ?? "";
  if (!uuid.test(channelId)) throw new MalformedInput(`channelID "${channelId}" is no UUID`);
  return channelId;
}

/** Firefox pads the key, against RFC 8292. */
function unpadded(key: string): string {
  return key.replace(/=+$/, "");
}

type Fields = Readonly<Record<string, unknown>>;

function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw new MalformedInput(`${name} is no text`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MalformedInput("a message that is no JSON", { cause });
  }
}

function asRecord(value: unknown): Fields {
  if (isRecord(value)) return value;
  throw new MalformedInput("a message that is no object");
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
