import {
  doctorChecks,
  doctorFindings,
  type DoctorCode,
  type DoctorFinding,
} from "@sineta/protocol";

const seenCharacters = 1000;

/** @param subject which one was looked at @param seen what was seen there */
export function finding(
  code: DoctorCode,
  subject: string | null = null,
  seen: string | null = null,
): DoctorFinding {
  const { check, state } = doctorFindings[code];
  return { code, check, state, subject, seen: seen === null ? null : plain(seen) };
}

/** One line, without what a terminal would obey. */
function plain(text: string): string {
  return text.slice(0, seenCharacters).replaceAll(/\p{Cc}+/gu, " ");
}

/** In the order of the checks. */
export function inOrder(findings: readonly DoctorFinding[]): DoctorFinding[] {
  return findings.toSorted(
    (one, other) => doctorChecks.indexOf(one.check) - doctorChecks.indexOf(other.check),
  );
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A size as people read it, such as `1.5 GiB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const value = bytes / 1024 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${units[power]}`;
}
