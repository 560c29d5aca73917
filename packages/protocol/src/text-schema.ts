import { z } from "zod";
import { textFlaw, type TextFlaw, type TextKind, type TextRule } from "./text.ts";

/** A text that people read. Spaces around a single line are dropped. Each line break of several lines becomes a line feed. */
export function textSchema(rule: TextRule): z.ZodString {
  const text =
    rule.kind === "lines"
      ? z.string().overwrite((lines) => lines.replaceAll(/\r\n?/g, "\n"))
      : z.string().trim();
  return (rule.mayBeBlank === true ? text : text.min(1, { abort: true }))
    .max(rule.mostCharacters, { abort: true })
    .refine((given) => textFlaw(given, rule) === null, {
      error({ input }) {
        const flaw = textFlaw(String(input), rule);
        return flaw === null ? undefined : expected[flaw](rule);
      },
    });
}

const expected: Record<TextFlaw, (rule: TextRule) => string> = {
  blank: () => "at least one visible character",
  "too-long": ({ mostCharacters }) => `at most ${mostCharacters} characters`,
  "cut-character": () => "whole characters: half of one, such as of an emoji, stands alone",
  "control-character": ({ kind }) => withoutControl[kind],
};

const withoutControl: Record<TextKind, string> = {
  line: "one line without control characters",
  lines: "no control characters but line breaks",
  name: "one line without control characters and marks of direction",
};
