import { PushLabError } from "../errors.ts";

/** The fields of an object that somebody else wrote, taken out one by one and checked. */
export type Fields = {
  /** Undefined where it is not there. `name` is also how the complaint calls it. */
  readonly optional: <Value>(name: string, read: Reader<Value>) => Value | undefined;
  readonly required: <Value>(name: string, read: Reader<Value>) => Value;
  /** The one field, by what it holds, where it is there. */
  readonly given: (name: string) => boolean;
  /** Complains about whatever was not asked for. */
  readonly nothingElse: () => void;
};

/** Takes the value if it is as expected, else undefined. */
export type Reader<Value> = {
  readonly expected: string;
  readonly read: (value: unknown) => Value | undefined;
};

/**
 * @param where how a complaint calls the object, such as `fault`; empty for the outermost
 * @throws PushLabError `invalid-fault`
 */
export function fieldsOf(value: unknown, where: string): Fields {
  if (!isRecord(value)) throw invalidFault(where || "the rule", "an object", value);
  const asked = new Set<string>();
  const pathOf = (name: string): string => (where === "" ? name : `${where}.${name}`);

  const optional: Fields["optional"] = (name, reader) => {
    asked.add(name);
    const found = value[name];
    if (found === undefined) return undefined;
    const taken = reader.read(found);
    if (taken === undefined) throw invalidFault(pathOf(name), reader.expected, found);
    return taken;
  };

  return {
    optional,
    required: (name, reader) => {
      const taken = optional(name, reader);
      if (taken === undefined) throw invalidFault(pathOf(name), reader.expected, undefined);
      return taken;
    },
    given: (name) => value[name] !== undefined,
    nothingElse: () => {
      for (const name of Object.keys(value))
        if (!asked.has(name) && value[name] !== undefined)
          throw new PushLabError(
            "invalid-fault",
            `${pathOf(name)} is not known here: expected ${[...asked].join(", ")}.`,
          );
    },
  };
}

export function invalidFault(where: string, expected: string, found: unknown): PushLabError {
  const is = found === undefined ? "missing" : JSON.stringify(found)?.slice(0, 100);
  return new PushLabError("invalid-fault", `${where} is ${is}, expected ${expected}.`);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function wholeNumber(least: number, most: number): Reader<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    read: (value) =>
      typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
        ? value
        : undefined,
  };
}

/** Any number up to `most`; more than `least`, or `least` itself where that is said. */
export function number(least: number, most: number, including: boolean): Reader<number> {
  return {
    expected: `a number ${including ? "from" : "over"} ${least} ${including ? "to" : "and up to"} ${most}`,
    read: (value) =>
      typeof value === "number" && (including ? value >= least : value > least) && value <= most
        ? value
        : undefined,
  };
}

export const text: Reader<string> = {
  expected: "a text",
  read: (value) => (typeof value === "string" ? value : undefined),
};

export const yesOrNo: Reader<boolean> = {
  expected: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
};

export function oneOf<const Value extends string>(values: readonly Value[]): Reader<Value> {
  return {
    expected: values.map((value) => JSON.stringify(value)).join(" or "),
    read: (found) => values.find((value) => value === found),
  };
}

/** The first that takes it. */
export function either<One, Other>(one: Reader<One>, other: Reader<Other>): Reader<One | Other> {
  return {
    expected: `${one.expected}, or ${other.expected}`,
    read: (value) => one.read(value) ?? other.read(value),
  };
}
