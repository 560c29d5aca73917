import type { BrowserName, LossCause, MessageTarget, SystemName } from "@sineta/protocol";
import type { PushOriginKey } from "./delivery.ts";
import type { Topic } from "./topics.ts";

/** Why a registration ended: the push service said so (404, 410), or its browser left. */
export type EndReason = "gone" | "left";

/** What the rules of registration need to know of a registration that exists. */
export type KnownRegistration = {
  id: number;
  token: string;
  generation: number;
  /** SHA-256; null once its browser has left. */
  clientSecretHash: Uint8Array | null;
  /** Null once it has ended. */
  subscription: { p256dh: string; auth: string; vapidKeyId: number } | null;
  endReason: EndReason | null;
};

/** What a browser may see of its registration. */
export type SeenRegistration = {
  id: number;
  /** SHA-256; null once its browser has left. */
  clientSecretHash: Uint8Array | null;
  vapidKeyId: number;
  /** SHA-256; null once it has ended. */
  endpointHash: Uint8Array | null;
  /** When its browser last registered, refreshed it, or was seen (`noteSeen`). */
  seenAtMs: number;
};

/** A browser's subscription as it asks to be registered. */
export type RegistrationCandidate = {
  projectId: number;
  endpoint: string;
  /** SHA-256 of the endpoint: what "the same endpoint" means. */
  endpointHash: Uint8Array;
  p256dh: string;
  auth: string;
  vapidKeyId: number;
  /** Scheme, host and port of the push service. */
  pushOrigin: string;
  /** Origin of the page that asks. */
  origin: string;
  locale: string | null;
  timeZone: string | null;
  /** What the browser says it is. */
  browser: BrowserName;
  system: SystemName;
  clientSecretHash: Uint8Array;
  /** Token of an earlier registration, if the browser has one. */
  earlierToken: string | null;
  /** Token to use if the registration turns out to be new. */
  newToken: string;
  /** The loss that the browser heals by registering; null if it tells none. */
  loss: ToldLoss | null;
};

/** `confirmedAtMs`: when the server had confirmed the browser before the loss, by the browser's clock. It tells one loss from another. */
export type ToldLoss = { cause: LossCause; confirmedAtMs: number };

/** What to do with a candidate: `refresh` and `renew` name the registration by its id. */
export type RegistrationDecision =
  | { kind: "new" }
  | { kind: "refresh"; id: number }
  | { kind: "renew"; id: number }
  /** The browser is told that the push service called its endpoint gone. */
  | { kind: "tell-gone" }
  | { kind: "refuse" };

/**
 * An endpoint that a push service answered with 404 or 410 after it had accepted a push for it. The project remembers the last few of each
 * registration, until retention, until its browser leaves, or until the endpoint is registered again.
 */
export type GoneEndpoint = {
  /** SHA-256 of the secret of the registration that had the endpoint. */
  clientSecretHash: Uint8Array | null;
  /** Whether the server has answered its browser that the endpoint is gone. */
  wasTold: boolean;
};

/** Chosen inside the transaction, so it must be pure and quick. */
export type DecideRegistration = (found: {
  /** The live registration with the candidate's endpoint. */
  byEndpoint: KnownRegistration | null;
  /** Null unless the push service called the candidate's endpoint gone. Null if a live registration has that endpoint. */
  goneEndpoint: GoneEndpoint | null;
  /** The registration, live or ended, with the candidate's earlier token. */
  byToken: KnownRegistration | null;
}) => RegistrationDecision;

export type RegistrationResult =
  | { kind: "new" | "refreshed" | "renewed"; token: string }
  | { kind: "refused"; code: "registration-refused" | "subscription-gone" | "quota-reached" }
  /** `topics`: names of those that it is about. */
  | { kind: "refused"; code: MembershipRefusal; topics: readonly string[] };

/** What a registration belongs to: a user of the site, and topics. A new one belongs to nothing. */
export type Membership = { userId: string | null; topics: readonly Topic[] };

export type MembershipRefusal = "topic-unknown" | "topic-kept";

/** `joins` and `leaves` are ids of topics. */
export type MembershipDecision =
  | {
      kind: "change";
      userId: string | null;
      joins: readonly number[];
      leaves: readonly number[];
    }
  /** `topics`: names of those that it is about. */
  | { kind: "refuse"; code: MembershipRefusal; topics: readonly string[] };

/** Asks that a registration belong to something else. */
export type MembershipRequest = {
  /** Names of the topics that it is about. */
  topicNames: readonly string[];
  /** Chosen inside the transaction, so it must be pure and quick. */
  decide: (found: {
    current: Membership;
    /** Those of `topicNames` that the project has. */
    named: readonly Topic[];
  }) => MembershipDecision;
};

export type MembershipResult =
  | { kind: "changed" }
  | { kind: "refused"; code: MembershipRefusal }
  /** Its browser has left. */
  | { kind: "left" };

/** What an audience is made of, before anything is sent. */
export type AudienceGroup = PushOriginKey & {
  count: number;
};

export type RegistrationStore = {
  /**
   * Looks up what exists, asks `decide`, does it. Two calls at once run one after the other. One more live
   * registration there is only if the project's quota allows it, else `quota-reached`. While more than so many have ended, each new one removes
   * two at most that ended first; what a message had still to try at one of these has failed.
   * @param membership what else is to change; a refusal of it refuses all. Without it user and topics stay
   */
  register(
    candidate: RegistrationCandidate,
    decide: DecideRegistration,
    nowMs: number,
    membership?: MembershipRequest,
  ): Promise<RegistrationResult>;
  /** Changes what the registration belongs to. Only if it has not left; one that is `gone` may come back. */
  changeMembership(
    id: number,
    membership: MembershipRequest,
    nowMs: number,
  ): Promise<MembershipResult>;
  /** The registration with this token, live or ended. */
  find(projectId: number, token: string): Promise<KnownRegistration | null>;
  /** What the browser of the registration with this token may see, live or ended. Reads less than `find`: browsers look more often than they register. */
  see(projectId: number, token: string): Promise<SeenRegistration | null>;
  /**
   * Keeps when the browser of a live registration was seen, unless it was seen between `sinceMs` and `nowMs`. Calls that come together are written
   * together.
   */
  noteSeen(id: number, sinceMs: number, nowMs: number): Promise<void>;
  /** Of these tokens those that no live registration has, each once, in their order. */
  unreachable(projectId: number, tokens: readonly string[]): Promise<string[]>;
  /**
   * Ends the registration as `left`, also one that is `gone`; scrubs endpoint, keys, secret and the endpoints that are gone, and takes it from
   * its user and its topics. Only if it has not left before. If no message was sent to it, it is removed.
   */
  leave(id: number, nowMs: number): Promise<boolean>;
  /**
   * Ends the registration as `left`, if it has not ended, and takes from it all that could tell whose it was: endpoint,
   * keys, secret, user, origin, language, time zone, topics, receipts. The figures of messages stay. If no message was sent to it,
   * it is removed.
   * @param newToken takes the place of its token, which nobody can find any more
   */
  forget(id: number, newToken: string, nowMs: number): Promise<void>;
  countLive(projectId: number): Promise<number>;
  /** Live registrations by push origin, from counts that are kept. */
  countByOrigin(projectId: number): Promise<{ pushOrigin: string; count: number }[]>;
  /**
   * Counts an audience part by part: looks at the next `keys` registrations after `afterId`.
   * @returns the groups among them, and where to go on; null at the end
   */
  countAudience(
    projectId: number,
    target: MessageTarget,
    afterId: number,
    keys: number,
  ): Promise<{ groups: AudienceGroup[]; next: number | null }>;
  /** All live registrations by destination, from counts that are kept: as cheap for a million as for one. */
  liveGroups(projectId: number): Promise<AudienceGroup[]>;
  /** The longest origin that a live registration was made on, from counts that are kept; null without any. */
  longestOrigin(projectId: number): Promise<string | null>;
};
