import type { PushService } from "./push-hosts.ts";

/** What a push service answered. */
export type PushAnswer = {
  readonly service: PushService;
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As much of the body as was read. */
  readonly body: Uint8Array;
};
