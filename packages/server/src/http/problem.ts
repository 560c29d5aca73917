import { httpErrors, type HttpErrorCode, type Problem } from "@sineta/protocol";
import { errorsPath } from "./docs-page.ts";

/** Thrown by routes, answered as application/problem+json by the application's error handler. */
export class HttpProblem extends Error {
  readonly code: HttpErrorCode;
  readonly fields: Problem["fields"];
  /** For the Retry-After header (RFC 9110, section 10.2.3). */
  readonly retryAfterSeconds: number | undefined;
  readonly messageId: Problem["messageId"];
  /** Behind the remedy of the catalogue, in `detail`. */
  readonly hint: string | undefined;

  constructor(
    code: HttpErrorCode,
    fields?: Problem["fields"],
    retryAfterSeconds?: number,
    messageId?: Problem["messageId"],
    hint?: string,
  ) {
    super(code);
    this.name = "HttpProblem";
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
    this.messageId = messageId;
    this.hint = hint;
  }
}

/** The catalogue's entry as an answer (RFC 9457). Nothing but the entry and what is given here goes out. */
export type ProblemResponse = (
  code: HttpErrorCode,
  more?: Pick<Problem, "fields" | "instance" | "messageId">,
  retryAfterSeconds?: number,
  hint?: string,
) => Response;

/** @param serverUrl where Sineta itself is reached: the `type` of each answer is the code's entry on its page of errors */
export function createProblemResponse(serverUrl: string): ProblemResponse {
  const errorsUrl = new URL(errorsPath, serverUrl).href;
  return (code, more = {}, retryAfterSeconds, hint) => {
    const { status, title, remedy } = httpErrors[code];
    const problem: Problem = {
      type: `${errorsUrl}#${code}`,
      title,
      status,
      code,
      detail: hint === undefined ? remedy : `${remedy} ${hint}`,
      ...more,
    };
    return new Response(JSON.stringify(problem), {
      status,
      headers: {
        "Content-Type": "application/problem+json",
        "Cache-Control": "no-store",
        // Demanded by RFC 9110, section 15.5.2.
        ...(status === 401 ? { "WWW-Authenticate": "Bearer" } : {}),
        // The encodings that the server accepts (RFC 9110, section 15.5.16).
        ...(code === "content-encoding-unsupported" ? { "Accept-Encoding": "identity" } : {}),
        ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) }),
      },
    });
  };
}
