import type { PushService } from "./push-hosts.ts";

/** Header fields as Node gives them: by name in lower case. */
export type AnswerHeaders = Readonly<
  Record<string, string | number | readonly string[] | undefined>
>;

/** One field as text; empty if it is not there. */
export function headerText(headers: AnswerHeaders, name: string): string {
  const value = headers[name];
  return typeof value === "object" ? value.join(", ") : (value?.toString() ?? "");
}

/** What a push service answered. */
export type PushAnswer = {
  readonly service: PushService;
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** As much of the body as was read. */
  readonly body: Uint8Array;
};
