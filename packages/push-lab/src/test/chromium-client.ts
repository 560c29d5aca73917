import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect as connectTls } from "node:tls";

import { type BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

import type { Credentials } from "../chromium/check-in.ts";
import { createFrameReader, encodeFrame, type Frame, mcsVersion } from "../chromium/frames.ts";
import { readFields } from "../chromium/protobuf.ts";
import { stanzaTags } from "../chromium/stanzas.ts";
import type { PushLab } from "../lab.ts";
import { vapidKeys } from "./application-server.ts";
import { createInbox } from "./inbox.ts";

/** The browser's side of the lab's protocols, written from Chromium's definitions and not from the lab's code. */

/** The address given in one of the lab's switches. */
export function switchUrl(lab: PushLab, name: string): URL {
  const start = `--${name}=`;
  const found = lab.chromium.args.find((arg) => arg.startsWith(start));
  return new URL((found ?? "").slice(start.length));
}

export async function postCheckIn(lab: PushLab, body: Uint8Array): Promise<Response> {
  return await fetch(switchUrl(lab, "gcm-checkin-url"), {
    method: "POST",
    headers: { "content-type": "application/x-protobuf" },
    body: Uint8Array.from(body),
  });
}

/** Checks in; with credentials as a profile that has been here before. */
export async function checkIn(lab: PushLab, known?: Credentials): Promise<Credentials> {
  const request = new BinaryWriter();
  if (known !== undefined) {
    request.tag(2, WireType.Varint).int64(known.browser);
    request.tag(13, WireType.Bit64).fixed64(known.securityToken);
  }
  const response = await postCheckIn(lab, request.finish());
  let statsOk = false;
  let browser = "";
  let securityToken = "";
  readFields(new Uint8Array(await response.arrayBuffer()), (field, reader) => {
    if (field === 1) statsOk = reader.bool();
    else if (field === 7) browser = reader.fixed64().toString();
    else if (field === 8) securityToken = reader.fixed64().toString();
    else return false;
    return true;
  });
  if (!statsOk) throw new Error(`check-in answered ${response.status} without stats_ok`);
  return { browser, securityToken };
}

export type RegistrationForm = {
  readonly origin?: string;
  readonly subtype?: string;
  readonly sender?: string;
  readonly delete?: boolean;
  readonly signal?: AbortSignal;
};

export const testOrigin = "https://shop.example";

/** Registers as `subscribe()` does, and returns the answer's text. */
export async function register(
  lab: PushLab,
  { browser, securityToken }: Credentials,
  form: RegistrationForm = {},
): Promise<string> {
  const subtype =
    form.subtype ?? `wp:${form.origin ?? testOrigin}/#5F2C1DE0-8B6A-4A5E-9D46-6E7F1A2B3C-V2`;
  const response = await fetch(switchUrl(lab, "gcm-registration-url"), {
    method: "POST",
    headers: { authorization: `AidLogin ${browser}:${securityToken}` },
    body: new URLSearchParams({
      app: "org.chromium.linux",
      "X-subtype": subtype,
      device: browser,
      ...(form.delete ? { delete: "true" } : { sender: form.sender ?? vapidKeys.publicKey }),
    }),
    ...(form.signal && { signal: form.signal }),
  });
  return await response.text();
}

/** Subscribes and returns the endpoint a page would get. */
export async function subscribe(
  lab: PushLab,
  credentials: Credentials,
  form: RegistrationForm = {},
): Promise<string> {
  const answer = await register(lab, credentials, form);
  if (!answer.startsWith("token=")) throw new Error(answer);
  return `https://jmt17.google.com/fcm/send/${answer.slice("token=".length)}`;
}

export type ReceivedMessage = {
  readonly id: string;
  readonly from: string;
  readonly category: string;
  readonly appData: Readonly<Record<string, string>>;
  readonly persistentId: string;
  readonly streamId: number;
  readonly ttlSeconds: number;
  readonly immediateAck: boolean;
  readonly body: Uint8Array | undefined;
};

export type LoginAnswer = {
  readonly id: string;
  readonly error: boolean;
  readonly streamId: number;
};

export type BrowserConnection = {
  readonly login: LoginAnswer;
  /** The next frame from the lab, of whatever kind. */
  readonly nextFrame: () => Promise<Frame>;
  readonly nextMessage: () => Promise<ReceivedMessage>;
  /** Says, by a stream acknowledgement, that this many of the lab's frames were received; without a number, all. */
  readonly acknowledge: (lastStreamId?: number) => void;
  readonly ping: () => void;
  readonly sendBytes: (bytes: Uint8Array) => void;
  readonly leave: () => Promise<void>;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly closed: Promise<void>;
};

/** Opens the connection for messages without saying anything on it. */
export async function openConnection(lab: PushLab) {
  const socket = connectTls({
    host: lab.pushService.address,
    port: Number(switchUrl(lab, "gcm-mcs-endpoint").port),
    servername: "localhost",
    ca: await readFile(lab.caPath),
    minVersion: "TLSv1.3",
  });
  // Being cut off is part of what is tested; "close" follows.
  socket.on("error", () => {});
  const closed = once(socket, "close").then(() => {});
  await once(socket, "secureConnect");
  return { socket, closed };
}

/** Connects and logs in. */
export async function connectBrowser(
  lab: PushLab,
  { browser, securityToken }: Credentials,
  receivedIds: readonly string[] = [],
): Promise<BrowserConnection> {
  const { socket, closed } = await openConnection(lab);
  const read = createFrameReader();
  const { put, next: nextFrame } = createInbox<Frame>();
  let framesReceived = 0;
  socket.on("data", (chunk: Uint8Array) => {
    for (const frame of read(chunk)) {
      framesReceived += 1;
      put(frame);
    }
  });

  const send = (frame: Frame): void => {
    socket.write(encodeFrame(frame));
  };

  const loginRequest = new BinaryWriter();
  const text = (field: number, value: string): void => {
    loginRequest.tag(field, WireType.LengthDelimited).string(value);
  };
  text(1, "chrome-150.0");
  text(2, "mcs.android.com");
  text(3, browser);
  text(4, browser);
  text(5, securityToken);
  text(6, `android-${BigInt(browser).toString(16)}`);
  for (const id of receivedIds) text(10, id);
  socket.write(Uint8Array.of(mcsVersion));
  send({ tag: stanzaTags.loginRequest, body: loginRequest.finish() });

  return {
    login: readLoginAnswer(await nextFrame()),
    nextFrame,
    nextMessage: async () => readMessage(await nextFrame()),
    acknowledge: (lastStreamId = framesReceived) => {
      const stanza = new BinaryWriter();
      stanza.tag(2, WireType.Varint).int32(1);
      stanza.tag(3, WireType.LengthDelimited).string("");
      stanza.tag(7, WireType.LengthDelimited).fork();
      stanza.tag(1, WireType.Varint).int32(13).tag(2, WireType.LengthDelimited).string("").join();
      stanza.tag(10, WireType.Varint).int32(lastStreamId);
      send({ tag: stanzaTags.iqStanza, body: stanza.finish() });
    },
    ping: () => {
      const ping = new BinaryWriter().tag(2, WireType.Varint).int32(framesReceived);
      send({ tag: stanzaTags.heartbeatPing, body: ping.finish() });
    },
    sendBytes: (bytes) => {
      socket.write(bytes);
    },
    leave: async () => {
      socket.destroy();
      await closed;
    },
    closed,
  };
}

function readLoginAnswer({ tag, body }: Frame): LoginAnswer {
  if (tag !== stanzaTags.loginResponse) throw new Error(`tag ${tag} is no login response`);
  let answer: LoginAnswer = { id: "", error: false, streamId: 0 };
  readFields(body, (field, reader) => {
    if (field === 1) answer = { ...answer, id: reader.string() };
    else if (field === 3) answer = { ...answer, error: reader.bytes().length > 0 };
    else if (field === 5) answer = { ...answer, streamId: reader.int32() };
    else return false;
    return true;
  });
  return answer;
}

function readMessage({ tag, body }: Frame): ReceivedMessage {
  if (tag !== stanzaTags.dataMessage) throw new Error(`tag ${tag} is no data message`);
  const text: Record<number, string> = {};
  const number: Record<number, number> = {};
  const appData: Record<string, string> = {};
  let raw: Uint8Array | undefined;
  readFields(body, (field, reader) => {
    if ([2, 3, 5, 9].includes(field)) text[field] = reader.string();
    else if ([10, 17, 24].includes(field)) number[field] = reader.int32();
    else if (field === 21) raw = reader.bytes();
    else if (field === 7) {
      const [key, value] = readPair(reader);
      appData[key] = value;
    } else return false;
    return true;
  });
  return {
    id: text[2] ?? "",
    from: text[3] ?? "",
    category: text[5] ?? "",
    appData,
    persistentId: text[9] ?? "",
    streamId: number[10] ?? 0,
    ttlSeconds: number[17] ?? 0,
    immediateAck: number[24] === 1,
    body: raw,
  };
}

function readPair(reader: BinaryReader): [string, string] {
  const pair: [string, string] = ["", ""];
  readFields(reader.bytes(), (field, inner) => {
    if (field === 1) pair[0] = inner.string();
    else if (field === 2) pair[1] = inner.string();
    else return false;
    return true;
  });
  return pair;
}
