import { doctorFindings, doctorText, type DoctorFinding } from "@sineta/protocol";
import { examineFromOutside } from "../doctor/examine-from-outside.ts";
import type { Command } from "./command.ts";
import { tableOf } from "./table.ts";

export const doctorCommand: Command = {
  name: "doctor",
  summary: "Looks at the whole installation, and says what to do",
  usage: "sineta doctor [--json]",
  help: `Looks at the settings, the server, the database, the secret, the files, the disk and the clock. It asks for the public URL as a visitor does:
by its name, its certificate and its proxy. It looks at the page of each origin, and connects to the push services without sending a push.
It reads the whole database, which takes seconds for each gigabyte.

  --json     the findings for programs; docs/doctor.md lists their codes

The exit status is 0 if all is well, 1 if there is something to do, and 2 if the doctor could not look at something.`,
  options: { json: { type: "boolean" } },
  run: async ({ flags, report, terminal }) => {
    const findings = await examineFromOutside({ ...report, now: Date.now });
    terminal.out(
      flags["json"] === true ? `${JSON.stringify({ findings }, null, 2)}\n` : textOf(findings),
    );
    return statusOf(findings);
  },
};

/** 0 all well, 1 something to do, 2 could not look. */
function statusOf(findings: readonly DoctorFinding[]): number {
  if (findings.some(({ state }) => state === "to-do")) return 1;
  return findings.some(({ state }) => state === "unknown") ? 2 : 0;
}

const stateWords = { ok: "ok", "to-do": "TO DO", unknown: "unknown" };

/** A line for what was found, and one below it for what to do. */
function textOf(findings: readonly DoctorFinding[]): string {
  return tableOf(
    findings.flatMap((each) => {
      const { title, remedy } = doctorFindings[each.code];
      const found = [stateWords[each.state], each.check, doctorText(title, each)];
      return remedy === "" ? [found] : [found, ["", "", doctorText(remedy, each)]];
    }),
  );
}
