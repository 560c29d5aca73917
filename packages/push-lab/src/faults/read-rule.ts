import { validateHeaderName, validateHeaderValue } from "node:http";

import { errorNames, type Fault, faultKinds, type Rule } from "./fault.ts";
import {
  either,
  type Fields,
  fieldsOf,
  invalidFault,
  isRecord,
  number,
  oneOf,
  type Reader,
  text,
  wholeNumber,
  yesOrNo,
} from "./fields.ts";

const most = 4_294_967_295;
const count = wholeNumber(0, most);
const seconds = number(0, 31_536_000, false);
const status = wholeNumber(200, 599);
const errorCode = either(oneOf(errorNames), count);
/** RFC 9110: 204, 205 and 304 end with their head. */
const statusWithBody: Reader<number> = {
  expected: "a status from 200 to 599 that has a body",
  read: (value) => {
    const read = status.read(value);
    return read === undefined || [204, 205, 304].includes(read) ? undefined : read;
  },
};
const headers: Reader<Readonly<Record<string, string>>> = {
  expected: "an object of HTTP header names and their values as text",
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const entries: [string, string][] = [];
    for (const [name, field] of Object.entries(value)) {
      if (typeof field !== "string" || !isHeader(name, field)) return undefined;
      entries.push([name, field]);
    }
    return Object.fromEntries(entries);
  },
};

/**
 * Reads a rule that came from anywhere. Nothing unknown is let pass: a misspelt field would quietly restrict nothing.
 *
 * @param origins of the push services that are played
 * @throws PushLabError `invalid-fault`, with a sentence that names the field
 */
export function readRule(value: unknown, origins: readonly string[]): Rule {
  const fields = fieldsOf(value, "");
  const conditions = defined({
    origin: fields.optional("origin", oneOf(origins)),
    path: fields.optional("path", pathReader),
    share: fields.optional("share", number(0, 1, true)),
    after: fields.optional("after", count),
  });
  if (fields.given("fault") === fields.given("script"))
    throw invalidFault(
      "fault",
      "either fault or script",
      fields.given("fault") ? "both" : undefined,
    );
  if (fields.given("script")) {
    const steps = fields.required("script", list);
    fields.nothingElse();
    return {
      ...conditions,
      script: steps.map((step, index) => readStep(step, `script[${index}]`)),
    };
  }
  const fault = readFault(fields.required("fault", anything), "fault");
  const limits = defined({
    times: fields.optional("times", wholeNumber(1, most)),
    timesPerEndpoint: fields.optional("timesPerEndpoint", wholeNumber(1, most)),
  });
  fields.nothingElse();
  if (fault.kind === "refuse-connections") {
    const { path } = conditions;
    const { timesPerEndpoint } = limits;
    const expected = "none: a connection is refused before it names an endpoint";
    if (path !== undefined) throw invalidFault("path", expected, path);
    if (timesPerEndpoint !== undefined)
      throw invalidFault("timesPerEndpoint", expected, timesPerEndpoint);
  }
  return { ...conditions, ...limits, fault };
}

function readStep(value: unknown, where: string): Fault | "ok" {
  if (value === "ok") return value;
  const fault = readFault(value, where);
  if (fault.kind === "refuse-connections" || fault.kind === "rate-limit")
    throw invalidFault(
      `${where}.kind`,
      "a fault of one request: this one holds as long as its rule",
      fault.kind,
    );
  return fault;
}

function readFault(value: unknown, where: string): Fault {
  const fields = fieldsOf(value, where);
  const kind = fields.required("kind", oneOf(faultKinds));
  const fault = readers[kind](fields);
  fields.nothingElse();
  return fault;
}

const at = oneOf(["request", "answer"]);

const readers: { readonly [Kind in Fault["kind"]]: (fields: Fields) => Fault } = {
  answer: (fields) => ({
    kind: "answer",
    status: fields.required("status", status),
    ...defined({
      headers: fields.optional("headers", headers),
      body: fields.optional("body", text),
    }),
  }),
  hang: (fields) => {
    const where = fields.required("at", at);
    if (where === "answer") return { kind: "hang", at: where };
    return { kind: "hang", at: where, ...readTaken(fields) };
  },
  drip: (fields) => ({
    kind: "drip",
    bytesPerSecond: fields.required("bytesPerSecond", number(0, 1_000_000, false)),
    ...defined({ status: fields.optional("status", statusWithBody) }),
  }),
  "endless-body": () => ({ kind: "endless-body" }),
  "endless-headers": () => ({ kind: "endless-headers" }),
  reset: (fields) => {
    const where = fields.required("at", at);
    const code = defined({ code: fields.optional("code", errorCode) });
    if (where === "answer") return { kind: "reset", at: where, ...code };
    return { kind: "reset", at: where, ...code, ...readTaken(fields) };
  },
  settings: (fields) => ({
    kind: "settings",
    maxConcurrentStreams: fields.required("maxConcurrentStreams", count),
  }),
  goaway: (fields) => ({
    kind: "goaway",
    ...defined({
      code: fields.optional("code", errorCode),
      lastStreamId: fields.optional("lastStreamId", either(oneOf(["this", "previous"]), oddNumber)),
    }),
  }),
  "hang-up": (fields) => ({ kind: "hang-up", ...readTaken(fields) }),
  "refuse-connections": () => ({ kind: "refuse-connections" }),
  "refuse-vapid": (fields) => ({
    kind: "refuse-vapid",
    ...defined({ because: fields.optional("because", oneOf(["key", "token"])) }),
  }),
  "rate-limit": (fields) => ({
    kind: "rate-limit",
    as: fields.required("as", oneOf(["apple", "fcm", "windows"])),
    limit: fields.required("limit", count),
    windowSeconds: fields.required("windowSeconds", seconds),
    ...defined({ blockSeconds: fields.optional("blockSeconds", seconds) }),
  }),
};

/** A client's streams have odd numbers (RFC 9113, section 5.1.1). */
const oddNumber: Reader<number> = {
  expected: "an odd number from 1 to 2147483647",
  read: (value) =>
    Number(value) % 2 === 1 ? wholeNumber(1, 2_147_483_647).read(value) : undefined,
};

const pathReader: Reader<string> = {
  expected: "a path that begins with /",
  read: (value) => (typeof value === "string" && value.startsWith("/") ? value : undefined),
};

const list: Reader<readonly unknown[]> = {
  expected: 'a list of at least one fault or "ok"',
  read: (value) => (Array.isArray(value) && value.length > 0 ? value : undefined),
};

const anything: Reader<unknown> = { expected: "a fault", read: (value) => value };

function readTaken(fields: Fields): { taken?: boolean } {
  return defined({ taken: fields.optional("taken", yesOrNo) });
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

type Defined<Given> = { [Name in keyof Given]?: Exclude<Given[Name], undefined> };

/** The same without what is undefined. */
function defined<Given extends object>(given: Given): Defined<Given> {
  // The types of Object's functions forget which names there were.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Defined<Given>;
}
