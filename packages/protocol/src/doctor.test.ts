import { expect, it } from "vitest";
import { doctorChecks, doctorFindings, type DoctorCode } from "./doctor-findings.ts";
import { doctorText } from "./doctor-text.ts";

const codes = Object.keys(doctorFindings) as DoctorCode[];

it("is what docs/doctor.md says", async () => {
  const meanings = {
    ok: "All is well.",
    "to-do": "The operator has something to do.",
    unknown: "The doctor could not look.",
  };
  const sections = doctorChecks.map((check) => {
    const entries = codes.flatMap((code) => {
      const entry = doctorFindings[code];
      if (entry.check !== check) return [];
      const names = { subject: "`SUBJECT`", seen: "`SEEN`" };
      const sentence = `${entry.title} ${entry.remedy}`.trim();
      const text = doctorText(sentence, names).replace(
        /^`SEEN`$/,
        "The sentence says what was found and what to do.",
      );
      return [`### ${code}\n\n${meanings[entry.state]} ${text}\n`];
    });
    return `## ${check}\n\n${entries.join("\n")}`;
  });
  const page = [
    "# What the doctor finds\n\n`sineta doctor` prints a line for each finding, and `--json` prints the codes of this page. A code never changes its meaning. `SUBJECT` is what the doctor looked at, `SEEN` what it saw there. This page is written from the catalogue in packages/protocol (`npm run unit -- -u` writes it anew).\n",
    ...sections,
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../../docs/doctor.md");
});

it("has something that is well for each check, and something to do or to say where it is not", () => {
  const without = doctorChecks.filter((check) => {
    const states = codes
      .map((code) => doctorFindings[code])
      .filter((entry) => entry.check === check);
    return (
      !states.some(({ state }) => state === "ok") || states.every(({ state }) => state === "ok")
    );
  });
  expect(without).toEqual([]);
});

it("says what to do wherever something is to do", () => {
  const silent = codes.filter((code) => {
    const { state, title, remedy } = doctorFindings[code];
    return state === "to-do" && remedy === "" && title !== "{seen}";
  });
  expect(silent).toEqual([]);
});

it("puts values in as they are", () => {
  expect(doctorText("{subject}: {seen}", { subject: "$&", seen: "{subject}" })).toBe(
    "$&: {subject}",
  );
  expect(doctorText("{subject}.", { subject: null, seen: null })).toBe(".");
});
