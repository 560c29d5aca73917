import { frame } from "./frame.ts";
import { problems, unknownProblem } from "./problems.ts";
import { session } from "./session.ts";
import type { audience } from "./audience.ts";
import type { compose } from "./compose.ts";
import type { delivery } from "./delivery.ts";
import type { doctor } from "./doctor.ts";
import type { firstRun } from "./first-run.ts";
import type { install } from "./install.ts";
import type { notices } from "./notices.ts";
import type { settings } from "./settings.ts";

/** What is there from the first page on. */
export const base = { frame, session, problems, unknownProblem };

/** Portuguese: what every other language has to say, too. */
export type Texts = typeof base & {
  audience: typeof audience;
  compose: typeof compose;
  delivery: typeof delivery;
  doctor: typeof doctor;
  firstRun: typeof firstRun;
  install: typeof install;
  notices: typeof notices;
  settings: typeof settings;
};
