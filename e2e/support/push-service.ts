import type { PushLab } from "@sineta/push-lab";
import type { Engine } from "./browsers/port.ts";

/** How the engine's push service at the lab is made to refuse or to keep silent. */
export function pushServiceOf(
  lab: PushLab,
  engine: Engine,
): { refuse: () => void; hang: () => void; recover: () => void } {
  return engine === "chromium"
    ? {
        refuse: () => lab.chromium.failRegistrations("QUOTA_EXCEEDED"),
        hang: lab.chromium.hangRegistrations,
        recover: lab.chromium.recover,
      }
    : {
        refuse: () => lab.firefox.failRegistrations(500),
        hang: lab.firefox.hangRegistrations,
        recover: lab.firefox.recover,
      };
}
