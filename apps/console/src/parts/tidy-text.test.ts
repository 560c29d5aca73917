import { expect, test } from "vitest";
import { textFlaw } from "@sineta/protocol/text";
import { tidyLine, tidyLines } from "./tidy-text.ts";

test("control characters become spaces, and the server takes what is left", () => {
  const pasted = "\tPão\u000bquente\r\nàs\u2028 7h\u0000\n";
  const line = tidyLine(pasted);
  expect(line).toBe("Pão quente às  7h");
  expect(textFlaw(line, { kind: "line", mostCharacters: 20 })).toBeNull();
  const lines = tidyLines(pasted);
  expect(lines).toBe(" Pão quente\nàs\u2028 7h \n");
  expect(textFlaw(lines, { kind: "lines", mostCharacters: 20 })).toBeNull();
});
