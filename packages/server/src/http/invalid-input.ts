import type { ValidationTargets } from "hono";
import type { ZodError } from "zod";
import { idempotencyKeyHeader, type HttpErrorCode } from "@sineta/protocol";
import { HttpProblem } from "./problem.ts";

/** Whoever sends ten thousand unknown fields is told of the first. */
const namedFields = 50;
const pathCharacters = 200;

/** For headers that a route describes, in lower case. */
const codesOfHeaders: Partial<Record<string, HttpErrorCode>> = {
  [idempotencyKeyHeader.toLowerCase()]: "idempotency-key-malformed",
};

/** What is thrown where a request does not fit the schemas of its route. @throws HttpProblem */
export function refuseInvalidInput(
  result: { target: keyof ValidationTargets } & (
    | { success: true }
    | { success: false; error: ZodError }
  ),
): void {
  if (result.success) return;
  const { issues } = result.error;
  if (result.target === "header") {
    throw new HttpProblem(codesOfHeaders[String(issues[0]?.path[0])] ?? "body-invalid");
  }
  throw new HttpProblem("body-invalid", issues.flatMap(fieldsOf).slice(0, namedFields));
}

/** One for each field: zod names unknown fields together, at the place of the object that they stand in. */
function fieldsOf(issue: ZodError["issues"][number]): { path: string; message: string }[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ path: pathOf(issue.path), message: issue.message }];
  }
  return issue.keys
    .slice(0, namedFields)
    .map((key) => ({ path: pathOf([...issue.path, key]), message: "there is no such field" }));
}

function pathOf(parts: readonly PropertyKey[]): string {
  return parts.map(String).join(".").slice(0, pathCharacters);
}
