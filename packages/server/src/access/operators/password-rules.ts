import { limits, type HttpErrorCode } from "@sineta/protocol";

export type PasswordRefusal = Extract<
  HttpErrorCode,
  "password-short" | "password-long" | "password-common" | "password-like-email"
>;

/** Shorter ones are not looked for in front of digits: `1234` and `love` begin too much that is fine. */
const stemCharacters = 4;
/** Shorter parts of an e-mail address (`br`, `de`) stand in any password. */
const emailPartCharacters = 3;
/** So many letters beside the e-mail address are a password of their own. */
const ownLetters = 4;

/**
 * Whether a password may be set (NIST SP 800-63B, section 3.1.1.2: long, and none of those that everybody tries).
 * @param email the operator's
 * @param common in lower case
 * @returns null: it may; else the code of the refusal
 */
export function refusalOfPassword(
  password: string,
  email: string,
  common: ReadonlySet<string>,
): PasswordRefusal | null {
  const folded = password.normalize("NFKC").toLowerCase();
  const characters = Array.from(folded).length;
  if (characters < limits.passwordCharacters.least) return "password-short";
  if (characters > limits.passwordCharacters.most) return "password-long";
  if (stemsOf(folded).some((stem) => common.has(stem))) return "password-common";
  return isMadeOf(email, folded) ? "password-like-email" : null;
}

/** The password, and what is left as the digits and the punctuation at its end go one by one. */
function stemsOf(folded: string): string[] {
  const stems = [folded];
  for (let stem = folded; /\P{L}$/u.test(stem);) {
    stem = stem.slice(0, -1);
    if (stem.length < stemCharacters) break;
    stems.push(stem);
  }
  return stems;
}

/** Whether little is left once the address and its parts are taken out, and digits and punctuation with them. */
function isMadeOf(email: string, folded: string): boolean {
  const parts = [email, ...email.split("@"), ...email.split(/[^\p{L}\p{N}]+/u)]
    .map((part) => part.normalize("NFKC").toLowerCase())
    .filter((part) => part.length >= emailPartCharacters)
    .toSorted((one, other) => other.length - one.length);
  let rest = folded;
  for (const part of parts) rest = rest.replaceAll(part, "");
  return rest !== folded && rest.replaceAll(/\P{L}/gu, "").length < ownLetters;
}
