import type { HttpErrorCode } from "@sineta/protocol";
import type { ActiveProject } from "../projects/project.ts";
import { findOwn } from "../registrations/find-own.ts";
import type { MembershipRequest, RegistrationStore } from "../store/port.ts";
import { asBrowser, leaveTopic } from "./rules.ts";

export type TopicInput = {
  project: ActiveProject;
  /** Token of the registration. */
  token: string;
  /** 32 bytes, base64url. */
  clientSecret: string;
  /** Name of the topic. */
  topic: string;
};

/** Null: it is as was asked for. */
export type TopicResult = HttpErrorCode | null;

export type Topics = {
  /** Error codes: `registration-unknown` (also for a wrong secret), `topic-unknown`, `topic-kept`. */
  join(input: TopicInput): Promise<TopicResult>;
  /** Error codes: `registration-unknown` (also for a wrong secret), `topic-unknown`. */
  leave(input: TopicInput): Promise<TopicResult>;
};

/** What a browser may do about topics by itself. Repeating it changes nothing. */
export function createTopics(parts: { store: RegistrationStore; now: () => number }): Topics {
  const { store, now } = parts;

  async function change(input: TopicInput, membership: MembershipRequest): Promise<TopicResult> {
    const registration = await findOwn(store, input);
    if (registration === null) return "registration-unknown";
    const result = await store.changeMembership(registration.id, membership, now());
    if (result.kind === "left") return "registration-unknown";
    return result.kind === "refused" ? result.code : null;
  }

  return {
    join: (input) => change(input, asBrowser({ joins: [input.topic], user: undefined })),
    leave: (input) => change(input, leaveTopic(input.topic)),
  };
}
