import { z } from "zod";
import { textExpected, textFlaw, type TextFlaw, type TextRule } from "./text.ts";

/**
 * A text that people read. The schema trims a line or a name. In several lines it makes each line break a line feed, and takes
 * spaces alone for an empty text.
 */
export function textSchema(rule: TextRule): z.ZodString {
  const { kind, mostCharacters, mayBeEmpty = false } = rule;
  const text = kind === "lines" ? z.string().overwrite(linesOf) : z.string().trim();
  return (mayBeEmpty ? text : text.min(1, { abort: true, error: sentences.blank }))
    .max(mostCharacters, { abort: true, error: textExpected(rule) })
    .refine((given) => textFlaw(given, rule) === null, {
      error({ input }) {
        const flaw = textFlaw(String(input), rule);
        return flaw === null ? undefined : (sentences[flaw] ?? textExpected(rule));
      },
    });
}

const sentences: { [Flaw in TextFlaw]?: string } & { blank: string } = {
  blank: "at least one visible character",
  "cut-character": "whole characters: half of an emoji stands alone (an unpaired surrogate)",
};

function linesOf(text: string): string {
  return text.trim() === "" ? "" : text.replaceAll(/\r\n?/g, "\n");
}
