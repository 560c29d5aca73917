import * as fc from "fast-check";
import { expect, test } from "vitest";
import { outcomeOf } from "./outcome.ts";
import { withoutRequest } from "./without-request.ts";

const asNumber = (character: string) => character.charCodeAt(0);
const asHex = (character: string) => asNumber(character).toString(16).padStart(2, "0");

/** Ways in which a push service may repeat a token, which is base64. */
const repeated: Record<string, (token: string) => string> = {
  "as it was asked": (token) => encodeURIComponent(token).replaceAll(/%../g, lower),
  "with capitals": (token) => encodeURIComponent(token),
  decoded: (token) => token,
  "with + as a space": (token) => token.replaceAll("+", " "),
  "encoded twice": (token) => encodeURIComponent(encodeURIComponent(token)),
  "encoded thrice, mixed": (token) =>
    encodeURIComponent(encodeURIComponent(encodeURIComponent(token))).replaceAll("2B", "2b"),
  "each character encoded": (token) => token.replaceAll(/./g, (each) => `%${asHex(each)}`),
  "as base64url": (token) => Buffer.from(token, "base64").toString("base64url"),
  "in HTML": (token) => token.replaceAll(/[+/=]/g, (each) => `&#${asNumber(each)};`),
  "in HTML, hexadecimal": (token) => token.replaceAll(/[+/=]/g, (each) => `&#x${asHex(each)};`),
  "in JSON": (token) => token.replaceAll(/[+/=]/g, (each) => `\\u00${asHex(each)}`),
  "in JSON with escaped slashes": (token) => token.replaceAll("/", String.raw`\/`),
  "in lower case": lower,
  folded: (token) => token.replaceAll(/.{20}/g, "$&\r\n "),
  "in UTF-16": (token) => token.replaceAll(/./g, "$&\0"),
};

function lower(text: string): string {
  return text.toLowerCase();
}

/** What somebody reads who undoes all of that. */
function readable(text: string): string {
  const plain = text
    .replaceAll(/%(?:25)*([0-9a-f]{2})/gi, fromHex)
    .replaceAll(/&#x([0-9a-f]+);|\\u00([0-9a-f]{2})/gi, fromHex)
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
  return plain.replaceAll(/[^a-z\d]/gi, "").toLowerCase();
}

function fromHex(_all: string, one: string | undefined, other: unknown): string {
  const hex = one ?? (typeof other === "string" ? other : "");
  return String.fromCharCode(Number.parseInt(hex, 16));
}

/**
 * A piece of a token of which less is left than this leads nowhere. Where a cut comes behind a sign such as %, up to three
 * letters look like its escape, so that twelve that follow each other may be passed over.
 */
const fewLetters = 16;

/** The pieces of the token that are longer than that and stand in the text. */
function toldOf(token: string, text: string): string[] {
  const [letters, told] = [readable(token), readable(text)];
  const pieces = Array.from({ length: letters.length }, (_, at) =>
    letters.slice(at, at + fewLetters),
  );
  return pieces.filter((piece) => piece.length === fewLetters && told.includes(piece));
}

const tokens = fc
  .uint8Array({ minLength: 24, maxLength: 400 })
  .map((bytes) => Buffer.from(bytes).toString("base64"));
const answers = fc.record({
  token: tokens,
  before: fc.string({ maxLength: 250 }),
  between: fc.string({ maxLength: 40 }),
  after: fc.string({ maxLength: 40 }),
  /** Of what is repeated, the push service's own cut. */
  from: fc.integer({ min: 0, max: 60 }),
  left: fc.integer({ min: 0, max: 2_000 }),
  /** What of the answer's body is kept. */
  kept: fc.integer({ min: 0, max: 1_500 }),
});

test.for(Object.entries(repeated))(
  "a token that is repeated %s does not reach the detail",
  ([, repeat]) => {
    fc.assert(
      fc.property(answers, ({ token, before, between, after, from, left, kept }) => {
        const path = `/w/?token=${encodeURIComponent(token).replaceAll(/%../g, lower)}`;
        const cut = repeat(token).slice(from, from + left);
        const text = `${before}${cut}${between}token=${repeat(token)}${after}`;
        const outcome = outcomeOf(
          {
            service: "windows",
            status: 400,
            headers: { "x-wns-error-description": `token=${cut}` },
            body: Buffer.from(text).subarray(0, kept),
          },
          0,
          (said) => withoutRequest(said, path),
        );
        const detail = "detail" in outcome ? outcome.detail : "";
        expect(toldOf(token, detail)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  },
);

const words = fc
  .array(fc.constantFrom("the", "subscription", "token", "VAPID,", "has", "%2b", "expired.", "&"))
  .map((all) => all.join(" "));

test("what a push service says beside the token stays", () => {
  fc.assert(
    fc.property(tokens, words, words, (token, before, after) => {
      const path = `/wpush/v2/${Buffer.from(token, "base64").toString("base64url")}`;
      const said = `${before} for ${path}: ${after}`;
      expect(withoutRequest(said, path)).toBe(`${before} for /wpush/v2/...: ${after}`);
    }),
  );
});
