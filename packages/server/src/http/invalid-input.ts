import type { ValidationTargets } from "hono";
import { z, type ZodError } from "zod";
import { idempotencyKeyHeader, type HttpErrorCode } from "@sineta/protocol";
import { issueSentence } from "./issue-sentence.ts";
import { meantField } from "./meant-field.ts";
import { HttpProblem } from "./problem.ts";

/** Whoever sends ten thousand unknown fields is told of the first. */
export const namedFields = 50;
const pathCharacters = 200;
/** The detail is a sentence or two; all of them are in the fields. */
const hintsInDetail = 3;

// An issue names unknown fields and not those that there are, and no input: the schema and the input are at hand here alone.
z.config({
  customError(issue) {
    if (issue.code === "unrecognized_keys" && issue.inst instanceof z.ZodObject) {
      Object.assign(issue, { known: Object.keys(issue.inst.shape) });
    }
    return issueSentence(issue);
  },
});

/** For headers that a route describes, in lower case. */
const codesOfHeaders: Partial<Record<string, HttpErrorCode>> = {
  [idempotencyKeyHeader.toLowerCase()]: "idempotency-key-malformed",
};

/**
 * What is thrown where a request does not fit the schemas of its route.
 * @param asked the request's context
 * @throws HttpProblem
 */
export function refuseInvalidInput(
  result: { target: keyof ValidationTargets } & (
    | { success: true }
    | { success: false; error: ZodError }
  ),
  asked?: { req: { queries(name: string): string[] | undefined } },
): void {
  if (result.success) return;
  const { issues } = result.error;
  if (result.target === "header") {
    throw new HttpProblem(codesOfHeaders[String(issues[0]?.path[0])] ?? "body-invalid");
  }
  const fields = withoutRepetitions(issues).flatMap(fieldsOf).slice(0, namedFields);
  const timesOf = (name: string) =>
    result.target === "query" ? (asked?.req.queries(name)?.length ?? 1) : 1;
  const hints = fields
    .filter(({ meant }) => meant !== null)
    .map(({ path, meant }) => `\`${path}\`: do you mean \`${meant}\`?`);
  throw new HttpProblem(
    "body-invalid",
    fields.map(({ path, message }) => {
      const times = timesOf(path);
      return { path, message: times === 1 ? message : `one value; the address has ${times}` };
    }),
    undefined,
    undefined,
    hints.length === 0 ? undefined : hints.slice(0, hintsInDetail).join(" "),
  );
}

type Issue = ZodError["issues"][number];

/** Of several issues of one code with a value the last one counts: `int` alone has bounds of its own, before the schema's. */
function withoutRepetitions(issues: readonly Issue[]): Issue[] {
  const last = new Map(issues.map((issue) => [`${issue.code} ${issue.path.join("\n")}`, issue]));
  return [...last.values()];
}

type WrongField = { path: string; message: string; meant: string | null };

/** One for each field: zod names unknown fields together, at the place of the object that they stand in. */
function fieldsOf(issue: Issue): WrongField[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ path: pathOf(issue.path), message: issue.message, meant: null }];
  }
  const known = "known" in issue ? z.array(z.string()).parse(issue.known) : [];
  return issue.keys.slice(0, namedFields).map((key) => {
    const meant = meantField(key, known);
    const message = `there is no such field${meant === null ? "" : `; do you mean \`${meant}\`?`}`;
    return { path: pathOf([...issue.path, key]), message, meant };
  });
}

export function pathOf(parts: readonly PropertyKey[]): string {
  return parts.map(String).join(".").slice(0, pathCharacters);
}
