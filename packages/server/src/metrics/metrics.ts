import type { OutcomeCounts } from "../store/port.ts";
import type { PushService } from "../webpush/push-hosts.ts";

/** What can be counted while it happens; everything else is read from the store when somebody asks. */
export type PushMetrics = {
  /** So many pushes to this push service ended so. */
  pushes(service: PushService, outcome: keyof OutcomeCounts, count: number): void;
  /** A breaker of this push service opened, or closed. */
  breaker(service: PushService, change: "opened" | "closed"): void;
};
