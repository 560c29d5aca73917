import { once } from "node:events";
import {
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { connect } from "node:net";
import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { AnswerHeaders } from "../push-answer.ts";
import { createHeaderDecoder } from "./header-decoder.ts";
import { blockBytes, createHeaderEncoder } from "./header-encoder.ts";
import { readSettings } from "./settings.ts";
import type { Http2Session } from "./port.ts";
import { startSession } from "./session.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of undo.splice(0).toReversed()) await end();
});

type Heard = { sent: Record<string, unknown>; got: AnswerHeaders };

/** A server by node:http2, whose HPACK is nghttp2's, and a session to it. */
async function scene(headerTableSize: number, answer: (turn: number) => Record<string, string>) {
  const heads: Record<string, unknown>[] = [];
  let serverSide: ServerHttp2Session | undefined;
  const server: Http2Server = createServer({ settings: { headerTableSize } });
  server.on("session", (session) => {
    serverSide = session;
  });
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    heads.push({ ...headers });
    stream.on("error", () => undefined);
    stream.respond({ ":status": 201, ...answer(heads.length - 1) }, { endStream: true });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  const greeted = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let onSettings: () => void = greeted.resolve;
  const session = startSession(socket, {
    onSettings: () => onSettings(),
    onGoAway: () => undefined,
    onDrain: () => undefined,
    onClose: closed.resolve,
  });
  undo.push(async () => {
    session.destroy();
    await closed.promise;
    server.close();
  });
  await greeted.promise;

  async function ask(headers: Record<string, string>, path = "/"): Promise<Heard> {
    const got = await headOf(session, headers, path);
    return { sent: heads.at(-1) ?? {}, got };
  }

  async function resize(bytes: number): Promise<void> {
    const said = Promise.withResolvers<void>();
    onSettings = said.resolve;
    serverSide?.settings({ headerTableSize: bytes });
    await said.promise;
  }
  return { ask, resize };
}

function headOf(
  session: Http2Session,
  headers: Record<string, string>,
  path: string,
): Promise<AnswerHeaders> {
  return new Promise((resolve, reject) => {
    let head: AnswerHeaders | null = null;
    session.request(
      { authority: "push.example", path, headers, body: null },
      {
        onInterim: () => true,
        onHead: (_status, given) => {
          head = given;
        },
        onData: () => undefined,
        onEnd: () => undefined,
        onClose: ({ detail }) => {
          if (head === null) reject(new Error(detail));
          else resolve(head);
        },
      },
    );
  });
}

const names = ["ttl", "urgency", "topic", "authorization", "content-encoding", "x-other"];
const values = fc.oneof(
  fc.constantFrom("60", "normal", "aes128gcm", "k=BB"),
  fc.string({ unit: "grapheme-ascii", maxLength: 40 }),
  fc.integer({ min: 1, max: 3000 }).map((length) => "v".repeat(length)),
);
// Whitespace at the ends is no part of a value (RFC 9113, section 8.2.1).
const heads = fc.dictionary(
  fc.constantFrom(...names),
  values.map((value) => value.trim()),
);
const sequences = fc.array(heads, { minLength: 1, maxLength: 30 });
// Every character that may stand in a value, so that each code is met.
const everything = String.fromCodePoint(
  ...Array.from({ length: 0x5f }, (_, at) => 0x20 + at).slice(1, -1),
  ...Array.from({ length: 0x80 }, (_, at) => 0x80 + at),
);

describe("what nghttp2 reads of what is written here", () => {
  test.for([0, 64, 500, 4096, 65_536])("is the same, with a table of %i bytes", async (bytes) => {
    const { ask } = await scene(bytes, () => ({}));
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        for (const [turn, headers] of sequence.entries()) {
          const { sent } = await ask(headers, `/${turn}`);
          expect(sent).toMatchObject({ ...headers, ":path": `/${turn}`, ":method": "POST" });
        }
      }),
      { numRuns: 20 },
    );
  });

  test("is the same while the table grows and shrinks", async () => {
    const { ask, resize } = await scene(4096, () => ({}));
    const headers = { authorization: "x".repeat(300), urgency: "normal", ttl: "60" };
    for (const bytes of [4096, 0, 4096, 200, 400, 100, 4096]) {
      await resize(bytes);
      for (const ttl of ["60", "60", "61"]) {
        expect((await ask({ ...headers, ttl })).sent).toMatchObject({ ...headers, ttl });
      }
    }
  });
});

test("a table that is to be small for a moment, within one frame, is emptied on both sides", () => {
  const encoder = createHeaderEncoder();
  const out = Buffer.alloc(200);
  encoder.encode(["urgency", "normal"], out, 0);
  const { headerTableSizes } = readSettings(Buffer.from("000100000000000100001000", "hex"));
  for (const bytes of headerTableSizes) encoder.resize(bytes);
  const block = out.subarray(0, encoder.encode(["urgency", "normal"], out, 0));
  // Sizes of 0 and of 4,096, and the field anew.
  expect(block.toString("hex")).toMatch(/^203fe11f40/);
});

test("a table that shrank and grew again before anything was said is emptied on both sides", async () => {
  const { ask, resize } = await scene(4096, () => ({}));
  const headers = { authorization: "x".repeat(300), urgency: "normal" };
  await ask(headers);
  await resize(0);
  await resize(4096);
  for (let turn = 0; turn < 2; turn += 1) {
    expect((await ask(headers)).sent).toMatchObject(headers);
  }
});

describe("what is read here of what nghttp2 writes", () => {
  test("is the same, whatever is in it", async () => {
    let answers: Record<string, string>[] = [];
    const { ask } = await scene(4096, (turn) => answers[turn] ?? {});
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        answers = [...answers.slice(0, asked), ...sequence];
        for (const headers of sequence) {
          expect((await ask({})).got).toMatchObject(headers);
          asked += 1;
        }
      }),
      { numRuns: 50 },
    );
  });

  test("is the same for every character", async () => {
    const { ask } = await scene(4096, () => ({ "x-all": everything }));
    expect((await ask({})).got["x-all"]).toBe(everything);
    // By then it is in the table.
    expect((await ask({})).got["x-all"]).toBe(everything);
  });
});

describe("a block that is written and read here", () => {
  const fields = ":method POST :path /one authorization vapid ttl 60".split(" ");

  function write(encoder: ReturnType<typeof createHeaderEncoder>): Buffer {
    const out = Buffer.alloc(blockBytes(fields));
    return out.subarray(0, encoder.encode(fields, out, 0));
  }

  function read(decoder: ReturnType<typeof createHeaderDecoder>, block: Buffer): string[] {
    const got: string[] = [];
    decoder.decode(block, (name, value) => got.push(name, value));
    return got;
  }

  test("takes a few bytes from the second time on", () => {
    const encoder = createHeaderEncoder();
    const decoder = createHeaderDecoder();
    const [first, second] = [write(encoder), write(encoder)];
    expect(read(decoder, first)).toEqual(fields);
    expect(read(decoder, second)).toEqual(fields);
    // One byte each for what is known, and the path: its name, its length, itself.
    expect(second.length).toBe(3 + 1 + 1 + "/one".length);
    expect(first.length).toBeGreaterThan(second.length);
  });

  test.for([
    ["a line feed in a value", ["ttl", "6\n0"]],
    ["a byte beyond ASCII in a value", ["topic", "é"]],
    ["a capital in a name", ["TTL", "60"]],
    ["a space in a name", ["t tl", "60"]],
    ["no name", ["", "60"]],
  ] as const)("%s is refused, and leaves the tables alike", ([, field]) => {
    const encoder = createHeaderEncoder();
    const decoder = createHeaderDecoder();
    const out = Buffer.alloc(500);
    expect(() => encoder.encode(["urgency", "low", ...field], out, 0)).toThrow(TypeError);
    for (const block of [write(encoder), write(encoder)]) {
      expect(read(decoder, block)).toEqual(fields);
    }
  });
});

describe("a table of 64 bytes, for one field of two characters", () => {
  /** Reads blocks one after the other, the first of which keeps a: 1 and then b: 2 in such a table. */
  function read(...blocks: readonly string[]): string[] {
    const decoder = createHeaderDecoder();
    const fields: string[] = [];
    for (const hex of ["3f21 400161 0131 400162 0132", ...blocks]) {
      decoder.decode(Buffer.from(hex.replaceAll(" ", ""), "hex"), (name, value) =>
        fields.push(`${name}: ${value}`),
      );
    }
    return fields;
  }

  test("holds the latest", () => {
    expect(read("be")).toEqual(["a: 1", "b: 2", "b: 2"]);
  });

  test.for([
    ["what was there before the latest", ["bf"]],
    ["what was there before one that is too large for it", [`400163 20${"78".repeat(32)}`, "be"]],
    ["what was there before it had no room at all", ["20", "3f21 be"]],
  ] as const)("has forgotten %s", ([, blocks]) => {
    expect(() => read(...blocks)).toThrow(/there is no field/);
  });
});

test.for([
  ["an index of nothing", "80"],
  ["an index beyond the tables", "be"],
  ["a name beyond the tables", "7f 10 01 61"],
  ["a number without an end", "ff ff ff ff ff ff ff 01"],
  ["a number that is too large", "ff ff ff ff 7f"],
  ["a number that is cut off", "ff ff"],
  ["a string that is cut off", "40 05 61"],
  ["a string that is not there", "40"],
  ["a larger table than was allowed", "3f e2 1f"],
  ["another size of the table after a field", "88 20"],
  ["a Huffman code that is cut off", "40 81 ff 01 61"],
] as const)("%s cannot be read", ([, hex]) => {
  const block = Buffer.from(hex.replaceAll(" ", ""), "hex");
  expect(() => createHeaderDecoder().decode(block, () => undefined)).toThrow(
    /header block|Huffman/,
  );
});
