import { z } from "zod";
import { normalLines, textExpected, textFlaw, type TextFlaw, type TextRule } from "./text.ts";

/**
 * A text that people read. The schema trims a line or a name. It gives several lines as `normalLines` does.
 */
export function textSchema(rule: TextRule): z.ZodString {
  const { kind, mostCharacters, mayBeEmpty = false } = rule;
  const text = kind === "lines" ? z.string().overwrite(normalLines) : z.string().trim();
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
