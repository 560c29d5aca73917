import { createSocket } from "node:dgram";
import { once } from "node:events";
import { wildcard } from "./places.ts";

export type Names = {
  /** How many of the attackers' names were asked for: those that are watched, and unknown ones below the vendor's wildcard. */
  readonly met: () => number;
};

export type NamesOptions = {
  /** The IPv4 address of each name that exists. */
  readonly known: ReadonlyMap<string, string>;
  /** Of the known ones, those that count as met once they were asked for. */
  readonly watched: ReadonlySet<string>;
  /** How long the answer takes that a name below the vendor's wildcard does not exist. */
  readonly unknownMs: number;
};

/** RFC 1035, sections 3.2.2 and 4.1.1. */
const typeA = 1;
const headerBytes = 12;
const answered = 0x81_80;
const nameError = 0x81_83;
const pointerToName = 0xc0_00 | headerBytes;

/** A DNS server on 127.0.0.1: it knows some names, and takes a while to find that a made-up one does not exist. */
export async function startNames({ known, watched, unknownMs }: NamesOptions): Promise<Names> {
  const met = new Set<string>();
  const socket = createSocket({ type: "udp4", recvBufferSize: 4 * 1024 * 1024 });
  socket.on("message", (packet, { port, address }) => {
    const { name, type, end } = readQuestion(packet);
    const place = known.get(name);
    const isMadeUp = place === undefined && name.endsWith(`.${wildcard}`);
    if (isMadeUp || watched.has(name)) met.add(name);
    const answer =
      place === undefined
        ? answerTo(packet, end, nameError, null)
        : answerTo(packet, end, answered, type === typeA ? place : null);
    setTimeout(() => socket.send(answer, port, address), isMadeUp ? unknownMs : 0);
  });
  socket.bind(53, "127.0.0.1");
  await once(socket, "listening");
  return { met: () => met.size };
}

/** Of a packet that holds one question, as a resolver's does. */
function readQuestion(packet: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let bytes = packet.readUInt8(at); bytes > 0; bytes = packet.readUInt8(at)) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + bytes));
    at += 1 + bytes;
  }
  return { name: labels.join(".").toLowerCase(), type: packet.readUInt16BE(at + 1), end: at + 5 };
}

/** The question comes back as it was, with one address or none. */
function answerTo(packet: Buffer, end: number, flags: number, place: string | null): Buffer {
  const header = Buffer.alloc(headerBytes);
  packet.copy(header, 0, 0, 2);
  header.writeUInt16BE(flags, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(place === null ? 0 : 1, 6);
  const question = packet.subarray(headerBytes, end);
  if (place === null) return Buffer.concat([header, question]);
  const record = Buffer.alloc(16);
  record.writeUInt16BE(pointerToName, 0);
  record.writeUInt16BE(typeA, 2);
  record.writeUInt16BE(1, 4);
  // Kept for no time at all.
  record.writeUInt16BE(4, 10);
  record.set(place.split(".").map(Number), 12);
  return Buffer.concat([header, question, record]);
}
