import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { audience as audienceEn } from "../../texts/en/audience.ts";
import { notices as noticesEn } from "../../texts/en/notices.ts";
import { audience as audienceEs } from "../../texts/es/audience.ts";
import { notices as noticesEs } from "../../texts/es/notices.ts";
import { audience as audiencePt } from "../../texts/pt/audience.ts";
import { notices as noticesPt } from "../../texts/pt/notices.ts";
import { reasonWords } from "./reason-words.ts";

const languages = {
  pt: { audience: audiencePt, notices: noticesPt },
  en: { audience: audienceEn, notices: noticesEn },
  es: { audience: audienceEs, notices: noticesEs },
};

/** The server's catalogue, as docs/operating.md has it: a test of the server holds the two together. */
const page = readFileSync(new URL("../../../../../docs/operating.md", import.meta.url), "utf8");
const section = page.split("\n## Reasons\n")[1]?.split("\n## ")[0] ?? "";
const codes = Array.from(section.matchAll(/^\| `([a-z-]+)`/gm), ([, code = ""]) => code);

test.for(Object.entries(languages))("no reason is shown as its code: %s", ([, texts]) => {
  expect(codes.length).toBeGreaterThan(30);
  for (const reason of [...codes, "gone"]) {
    const outcome = reason === "gone" ? "gone" : "failed";
    const words = reasonWords(texts, { outcome, reason, detail: "" });
    expect([reason, words]).toEqual([
      reason,
      {
        title: expect.stringMatching(/ .*[^.]$/),
        text: expect.stringMatching(/\. .*\.$/),
        detail: "",
      },
    ]);
    expect(words?.title).not.toBe(texts.audience.registration.unknownReason(reason));
  }
  // What has a hyphen is a code's alone; others, such as "expired", may stand in a sentence.
  for (const reason of codes.filter((code) => code.includes("-"))) {
    const words = reasonWords(texts, { outcome: "failed", reason, detail: "" });
    expect(JSON.stringify(words)).not.toContain(reason);
  }
});

test.for(Object.entries(languages))("each has words of its own: %s", ([, texts]) => {
  const words = codes.map((reason) =>
    JSON.stringify(reasonWords(texts, { outcome: "failed", reason, detail: "" })),
  );
  expect(new Set(words).size).toBe(codes.length);
});

test("what the push service said is told from what came instead of an answer", () => {
  const detailOf = (reason: string, detail: string) =>
    reasonWords(languages.pt, { outcome: "retry", reason, detail });
  expect(detailOf("service-unavailable", "busy")?.detail).toBe("Ele disse: “busy”.");
  expect(detailOf("connect-failed", "connect ECONNREFUSED")?.detail).toBe(
    "A causa: connect ECONNREFUSED",
  );
  expect(detailOf("unavailable", "tls-failed: certificate has expired")).toEqual({
    ...detailOf("tls-failed", ""),
    detail: "A causa: certificate has expired",
  });
});

test("what was accepted after all needs no reason; one of a later version says that it is not known", () => {
  expect(
    reasonWords(languages.pt, { outcome: "accepted", reason: "accepted", detail: "" }),
  ).toBeNull();
  for (const reason of ["of-a-later-version", "constructor"]) {
    expect(reasonWords(languages.pt, { outcome: "failed", reason, detail: "" })).toEqual({
      title: `Por um motivo que este painel não conhece (${reason})`,
      text: "",
      detail: "",
    });
  }
});
