import type { DoctorCode, DoctorFinding } from "@sineta/protocol";
import { doctorText } from "@sineta/protocol/doctor-text";
import { When } from "../../../parts/when.tsx";

/** What was seen is a sentence that the server writes in English. */
const saidInEnglish: ReadonlySet<DoctorCode> = new Set([
  "setting-doubtful",
  "database-damaged",
  "database-unusable",
  "database-out-of-reach",
  "secret-unusable",
]);

/** What was seen is a moment. */
const moments: ReadonlySet<DoctorCode> = new Set([
  "delivery-held",
  "certificate-valid",
  "certificate-ends-soon",
  "certificate-ended",
]);

/** A sentence of a finding, with what was looked at, what was seen, and its commands as such. */
export function FindingWords({ text, finding }: { text: string; finding: DoctorFinding }) {
  const { code } = finding;
  const seen = finding.seen ?? "";
  const isMoment = moments.has(code) && !Number.isNaN(Date.parse(seen));
  return text.split(/(`[^`]+`|\{seen\})/).map((part) => {
    if (isMoment && part === "{seen}") return <When key={part} at={seen} />;
    const words = doctorText(part.replaceAll("`", ""), finding);
    if (part.startsWith("`")) return <code key={part}>{words}</code>;
    if (part !== "{seen}" || !saidInEnglish.has(code)) return words;
    return (
      <span key={part} lang="en">
        {words}
      </span>
    );
  });
}
