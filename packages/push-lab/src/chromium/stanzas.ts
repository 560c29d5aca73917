import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

import type { Frame } from "./frames.ts";
import { readFields } from "./protobuf.ts";

/** The frames' tags in use (google_apis/gcm/protocol/mcs.proto in Chromium's source, like the field numbers below). */
export const stanzaTags = {
  heartbeatPing: 0,
  heartbeatAck: 1,
  loginRequest: 2,
  loginResponse: 3,
  close: 4,
  iqStanza: 7,
  dataMessage: 8,
} as const;

export type LoginRequest = {
  readonly id: string;
  /** The id given at check-in, in decimal. */
  readonly browser: string;
  readonly securityToken: string;
  /** Messages of earlier connections the browser has. */
  readonly receivedIds: readonly string[];
};

export function readLoginRequest(body: Uint8Array): LoginRequest {
  let id = "";
  let browser = "";
  let securityToken = "";
  const receivedIds: string[] = [];
  readFields(body, (field, reader) => {
    if (field === 1) id = reader.string();
    else if (field === 3) browser = reader.string();
    else if (field === 5) securityToken = reader.string();
    else if (field === 10) receivedIds.push(reader.string());
    else return false;
    return true;
  });
  return { id, browser, securityToken, receivedIds };
}

const lastStreamIdField: Readonly<Record<number, number>> = {
  [stanzaTags.heartbeatPing]: 2,
  [stanzaTags.heartbeatAck]: 2,
  [stanzaTags.iqStanza]: 10,
  [stanzaTags.dataMessage]: 11,
};

/**
 * How many of the server's frames the browser has received so far, where the frame says it. Chromium puts it on whatever it
 * sends, so this covers the stream acknowledgement (IqStanza, extension 13) too.
 */
export function readLastStreamId({ tag, body }: Frame): number | undefined {
  const wanted = lastStreamIdField[tag];
  let lastStreamId: number | undefined;
  readFields(body, (field, reader) => {
    if (field !== wanted) return false;
    lastStreamId = reader.int32();
    return true;
  });
  return lastStreamId;
}

export function writeLoginResponse(login: {
  id: string;
  streamId: number;
  lastStreamIdReceived: number;
  nowMs: number;
  /** Says that the login was refused. */
  error?: string;
}): Frame {
  const body = new BinaryWriter().tag(1, WireType.LengthDelimited).string(login.id);
  if (login.error !== undefined) {
    body.tag(3, WireType.LengthDelimited).fork();
    body.tag(1, WireType.Varint).int32(401).tag(2, WireType.LengthDelimited).string(login.error);
    body.join();
  }
  body.tag(5, WireType.Varint).int32(login.streamId);
  body.tag(6, WireType.Varint).int32(login.lastStreamIdReceived);
  body.tag(8, WireType.Varint).int64(Math.trunc(login.nowMs));
  return { tag: stanzaTags.loginResponse, body: body.finish() };
}

export function writeHeartbeat(
  tag: typeof stanzaTags.heartbeatPing | typeof stanzaTags.heartbeatAck,
  heartbeat: { streamId: number; lastStreamIdReceived: number },
): Frame {
  const body = new BinaryWriter();
  body.tag(1, WireType.Varint).int32(heartbeat.streamId);
  body.tag(2, WireType.Varint).int32(heartbeat.lastStreamIdReceived);
  return { tag, body: body.finish() };
}

export type DataMessage = {
  /** The message's id; the browser gives it back to say that it has the message. */
  readonly id: string;
  /** The VAPID public key the subscription was made with. */
  readonly sender: string;
  /** What the browser registered as `app` and `X-subtype`. */
  readonly app: string;
  readonly subtype: string;
  readonly streamId: number;
  readonly lastStreamIdReceived: number;
  readonly ttlSeconds: number;
  readonly sentAtMs: number;
  readonly contentEncoding: string | undefined;
  readonly body: Uint8Array;
};

export function writeDataMessage(message: DataMessage): Frame {
  const stanza = new BinaryWriter();
  const appData = (key: string, value: string): void => {
    stanza.tag(7, WireType.LengthDelimited).fork();
    stanza.tag(1, WireType.LengthDelimited).string(key);
    stanza.tag(2, WireType.LengthDelimited).string(value);
    stanza.join();
  };
  const isEmpty = message.body.byteLength === 0;

  stanza.tag(2, WireType.LengthDelimited).string(message.id);
  stanza.tag(3, WireType.LengthDelimited).string(message.sender);
  stanza.tag(5, WireType.LengthDelimited).string(message.app);
  appData("subtype", message.subtype);
  if (!isEmpty && message.contentEncoding !== undefined)
    appData("content-encoding", message.contentEncoding);
  stanza.tag(9, WireType.LengthDelimited).string(message.id);
  stanza.tag(10, WireType.Varint).int32(message.streamId);
  stanza.tag(11, WireType.Varint).int32(message.lastStreamIdReceived);
  stanza.tag(17, WireType.Varint).int32(message.ttlSeconds);
  stanza.tag(18, WireType.Varint).int64(Math.trunc(message.sentAtMs));
  if (!isEmpty) stanza.tag(21, WireType.LengthDelimited).bytes(message.body);
  // immediate_ack: left alone, Chromium acknowledges every tenth message, or at a heartbeat a quarter of an hour away.
  stanza.tag(24, WireType.Varint).bool(true);
  return { tag: stanzaTags.dataMessage, body: stanza.finish() };
}
