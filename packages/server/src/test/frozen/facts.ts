/** What is known of a frozen data folder beside it: written with it, never changed, and true of it in every later version. */
import type { DraftContent, MessageStatus, Receipt, RegistrationState } from "@sineta/protocol";
import type {
  Breaker,
  MessageException,
  OutcomeCounts,
  ReasonCount,
  ServiceProgress,
} from "../../store/port.ts";
import type { KeptPasskey } from "../software-passkey.ts";

export type FrozenBrowser = {
  /** Last part of its endpoint's path. */
  name: string;
  /** The same of its endpoint before it moved to another push service. */
  earlierName: string | null;
  token: string;
  clientSecret: string;
  /** The public VAPID key that it subscribed with. */
  vapidKey: string;
  /** Null: it is forgotten, and nobody knows its token. */
  state: RegistrationState | null;
  topics: string[];
};

/** The messages by what is remarkable in them. */
export type FrozenMessages<Each> = {
  /** Accepted, gone, rejected and failed registrations; receipts. */
  done: Each;
  cancelled: Each;
  /** Cancelled in the middle of being sent. */
  stopped: Each;
  scheduled: Each;
  /** To the topic `team`, all of it held by a breaker. Urgency `very-low`. */
  paused: Each;
  /** To the topic `news`, at a local time that has come in one time zone alone. Urgency `low`. */
  local: Each;
  /** Half planned and half sent, to all. Urgency `high`. */
  open: Each;
};

export type Facts = {
  frozenAtMs: number;
  operator: { email: string; password: string; totpSecret: string; recoveryCode: string };
  passkey: KeptPasskey;
  sessionCookie: string;
  apiKey: string;
  draft: { id: string; content: DraftContent };
  /** `path` of its address; `base64`: its bytes. */
  image: { path: string; base64: string };
  /** One that was counted. */
  receipt: Receipt;
  /** A user of the site with the one browser. */
  user: { userId: string; browser: string };
  browsers: FrozenBrowser[];
  messages: FrozenMessages<MessageStatus>;
  /** Of the message that is done, by push service. The folder schema-0013 has `progress`, by push origin, in its place. */
  services?: ServiceProgress[];
  progress?: { pushOrigin: string; planned: number; counts: OutcomeCounts }[];
  /** Push origins that have accepted something under the first key; in schema-0013 those of `progress`. */
  proven?: string[];
  reasons: ReasonCount[];
  exceptions: MessageException[];
  breakers: (Pick<Breaker, "pushOrigin" | "reason" | "detail" | "openedAtMs"> & {
    vapidKey: string;
  })[];
  /** Browsers whose push service had accepted a message before, by the message's urgency. */
  accepted: { high: string[]; low: string[]; "very-low": string[] };
  /** Newest first. */
  auditActions: string[];
};
