import type { Texts } from "../pt/index.ts";
import { frame } from "./frame.ts";
import { problems, unknownProblem } from "./problems.ts";
import { session } from "./session.ts";

export const base: Pick<Texts, "frame" | "session" | "problems" | "unknownProblem"> = {
  frame,
  session,
  problems,
  unknownProblem,
};
