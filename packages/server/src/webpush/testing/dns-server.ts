import { createSocket } from "node:dgram";
import { Resolver, type LookupAddress } from "node:dns";
import { once } from "node:events";
import { isIPv6, type LookupFunction } from "node:net";

/** What somebody asked: a name, and for its IPv4 (A) or its IPv6 addresses (AAAA). */
export type DnsQuestion = { readonly name: string; readonly type: "A" | "AAAA" };

export type TestDnsServer = {
  /** In the order of their arrival. */
  readonly questions: readonly DnsQuestion[];
  /** Asks this server, both families at once, as the system's resolver does: for a socket's `lookup`. */
  readonly lookup: LookupFunction;
  readonly close: () => Promise<void>;
};

/** RFC 1035, sections 3.2.2 and 4.1.1; RFC 3596, section 2.1. */
const types: ReadonlyMap<number, DnsQuestion["type"]> = new Map([
  [1, "A"],
  [28, "AAAA"],
]);
const internetClass = 1;
const headerBytes = 12;
const authoritativeAnswer = 0x84_00;
const pointerToName = 0xc0_00 | headerBytes;

/**
 * A test fixture: a DNS server on loopback that asks the test before each answer, so that a name can be somewhere else
 * a moment later. It reads one question per packet and knows addresses only.
 * @param answer the addresses of a name for the n-th question of its type, from 0; those of the other family are left out
 */
export async function startDnsServer(
  answer: (question: DnsQuestion, turn: number) => readonly string[],
): Promise<TestDnsServer> {
  const questions: DnsQuestion[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (packet, { port, address }) => {
    const { question, end } = readQuestion(packet);
    const turn = questions.filter(({ type }) => type === question.type).length;
    questions.push(question);
    const addresses = answer(question, turn).filter(
      (each) => isIPv6(each) === (question.type === "AAAA"),
    );
    socket.send(writeAnswer(packet, end, addresses), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  // It asks once: what it asked again because the machine was slow would be counted as one more question.
  const resolver = new Resolver({ timeout: 60_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    questions,
    lookup: lookupBy(resolver),
    async close() {
      resolver.cancel();
      socket.close();
      await once(socket, "close");
    },
  };
}

function lookupBy(resolver: Resolver): LookupFunction {
  return (hostname, _options, callback) => {
    const found: LookupAddress[] = [];
    let open = 2;
    const take =
      (family: 4 | 6) =>
      (error: NodeJS.ErrnoException | null, addresses: string[]): void => {
        // Undefined where there was an error, whatever the types say.
        found.push(...(error === null ? addresses : []).map((address) => ({ address, family })));
        open -= 1;
        if (open > 0) return;
        if (found.length === 0 && error !== null) callback(error, []);
        else callback(null, found);
      };
    resolver.resolve4(hostname, take(4));
    resolver.resolve6(hostname, take(6));
  };
}

function readQuestion(packet: Buffer): { question: DnsQuestion; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let bytes = packet.readUInt8(at); bytes > 0; bytes = packet.readUInt8(at)) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + bytes));
    at += 1 + bytes;
  }
  const type = types.get(packet.readUInt16BE(at + 1));
  if (type === undefined) throw new TypeError("the fixture knows A and AAAA only");
  return { question: { name: labels.join(".").toLowerCase(), type }, end: at + 5 };
}

/** The question comes back as it was; each record is a pointer to its name, and may be kept for no time at all. */
function writeAnswer(packet: Buffer, questionEnd: number, addresses: readonly string[]): Buffer {
  const header = Buffer.alloc(headerBytes);
  packet.copy(header, 0, 0, 2);
  header.writeUInt16BE(authoritativeAnswer, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const data = addressBytes(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(pointerToName, 0);
    record.writeUInt16BE(isIPv6(address) ? 28 : 1, 2);
    record.writeUInt16BE(internetClass, 4);
    record.writeUInt32BE(0, 6); // time to live
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, packet.subarray(headerBytes, questionEnd), ...records]);
}

/** What an A or AAAA record holds. */
function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split(".").map(Number));
  // The URL parser writes groups in hexadecimal and nothing else, whatever the address was written in.
  const written = new URL(`https://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = written.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const groups = [...head, ...zeros, ...tail].map((group) => group.padStart(4, "0"));
  return Buffer.from(groups.join(""), "hex");
}
