import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { notices as en } from "./en/notices.ts";
import { notices as es } from "./es/notices.ts";
import { notices as pt } from "./pt/notices.ts";

/** The server's catalogue, as docs/operating.md has it: a test of the server holds the two together. */
const page = readFileSync(new URL("../../../../docs/operating.md", import.meta.url), "utf8");
const section = page.split("\n## Reasons\n")[1]?.split("\n## ")[0] ?? "";
const codes = Array.from(section.matchAll(/^\| `([a-z-]+)`/gm), ([, code = ""]) => code);

test.for(Object.entries({ pt, en, es }))(
  "every reason of the server has its words: %s",
  ([, texts]) => {
    expect(codes.length).toBeGreaterThan(30);
    // Gone needs no reason at the server.
    expect(Object.keys(texts.reasons).toSorted()).toEqual([...codes, "gone"].toSorted());
    for (const [code, { title, meaning, remedy }] of Object.entries(texts.reasons)) {
      expect([code, title, meaning, remedy]).toEqual([
        code,
        expect.stringMatching(/[^.]$/),
        expect.stringMatching(/\.$/),
        expect.stringMatching(/\.$/),
      ]);
    }
  },
);
