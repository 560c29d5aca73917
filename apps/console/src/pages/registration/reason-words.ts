import type { RegistrationEvent } from "@sineta/protocol";
import type { Texts } from "../../texts/texts.ts";
import { causeOf } from "../notice/reason-groups.ts";

type Message = Extract<RegistrationEvent, { kind: "message" }>;

/** Why a message did not simply get through, for people. */
export type ReasonWords = {
  title: string;
  /** What it means, and what to do. */
  text: string;
  /** What is known of it, in a sentence; empty if that is nothing. */
  detail: string;
};

/** Null where there is nothing to explain. */
export function reasonWords(
  { notices, audience }: Pick<Texts, "notices" | "audience">,
  { outcome, reason, detail }: Pick<Message, "outcome" | "reason" | "detail">,
): ReasonWords | null {
  // Accepted after all: it has its outcome in the place of a reason.
  if (outcome === "accepted" && reason === outcome) return null;
  const isKnown = (code: string) => Object.hasOwn(notices.reasons, code);
  const cause = causeOf({ reason, detail }, isKnown);
  const words = isKnown(cause.code) ? notices.reasons[cause.code] : undefined;
  const known = cause.said ? notices.itSaid : notices.cause;
  return {
    title: words?.title ?? audience.registration.unknownReason(cause.code),
    text: words === undefined ? "" : `${words.meaning} ${words.remedy}`,
    detail: cause.detail === "" ? "" : known(cause.detail),
  };
}
