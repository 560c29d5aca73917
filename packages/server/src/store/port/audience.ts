import type {
  BrowserName,
  ReceiptEvent,
  ReturnCause,
  RegistrationState,
  SystemName,
} from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";
import type { NamedTopic } from "./topics.ts";

/** Live registrations of a project, by what their browsers said of themselves. Whatever has none is left out. */
export type AudienceNow = {
  live: number;
  byPushOrigin: ReadonlyMap<string, number>;
  byBrowser: ReadonlyMap<BrowserName, number>;
  bySystem: ReadonlyMap<SystemName, number>;
  byLanguage: ReadonlyMap<string, number>;
};

/** What happened on one day of UTC. */
export type AudienceDay = {
  /** Since 1970. */
  day: number;
  registered: number;
  /** Had been gone, and came back under their token. */
  returned: number;
  /** Live ones that got another subscription. */
  renewed: number;
  left: number;
  gone: number;
  removed: number;
  /** At its end. */
  live: number;
};

/** Losses of registrations that came back. */
export type AudienceReturns = {
  cause: ReturnCause;
  /** Whether `AudienceDay.gone` has counted them, too. */
  wasGone: boolean;
  returns: number;
};

/** The last loss of a registration that came back. */
export type RegistrationLoss = {
  cause: ReturnCause;
  /** When the push service answered with 404 or 410; null if the server knew of no loss. */
  goneAtMs: number | null;
  returnedAtMs: number;
  /** How often the registration was lost and came back. */
  times: number;
};

export type ListedRegistration = {
  /** Newer ones have higher ones. */
  id: number;
  token: string;
  state: RegistrationState;
  pushOrigin: string;
  browser: BrowserName;
  system: SystemName;
  language: string;
  origin: string;
  userId: string | null;
  createdAtMs: number;
  refreshedAtMs: number;
  endedAtMs: number | null;
};

/** A listed registration with what else a table of the audience has. */
export type DetailedRegistration = ListedRegistration & {
  timeZone: string | null;
  /** Its topics, by name. */
  topics: Pick<NamedTopic, "name" | "displayName">[];
};

/** All that is given must hold. */
export type RegistrationFilter = {
  state?: RegistrationState | undefined;
  /**
   * Hosts of push services: one host, or a dot and a domain for every host that ends in it. `none`: whatever is at none
   * of them.
   */
  pushHosts?: { hosts: readonly string[]; none: boolean } | undefined;
  browser?: BrowserName | undefined;
  system?: SystemName | undefined;
  language?: string | undefined;
  /** Whoever is in it, also if it has ended as gone. */
  topicId?: number | undefined;
  userId?: string | undefined;
  token?: string | undefined;
};

/** `keys`: how many registrations are looked at, at most. */
export type RegistrationPage = { limit: number; keys: number; beforeId?: number | undefined };

/** A message that was not simply accepted by a registration's push service. */
export type ExceptionOfRegistration = {
  messageId: string;
  title: string;
  outcome: "accepted" | "gone" | "retry" | "rejected" | "failed";
  reason: string;
  detail: string;
  attempts: number;
  atMs: number;
};

export type ReceiptOfRegistration = {
  messageId: string;
  title: string;
  event: ReceiptEvent;
  action: string | null;
  atMs: number;
};

/** All that is known of one registration. */
export type RegistrationStory = ListedRegistration & {
  locale: string | null;
  timeZone: string | null;
  generation: number;
  /** When its subscription was last replaced; null if it never was, or by an earlier version. */
  renewedAtMs: number | null;
  /** Its last loss from which it came back; null if there is none, or if it came back under an earlier version. */
  loss: RegistrationLoss | null;
  /** Since when pushes to it are refused for what may be its own fault; null: they are not. */
  refusedAtMs: number | null;
  topics: (Omit<NamedTopic, "id"> & { joinedAtMs: number })[];
  /** Newest first. */
  exceptions: ExceptionOfRegistration[];
  /** Newest first. */
  receipts: ReceiptOfRegistration[];
};

/** Who can be reached: figures that are kept as registrations come and go, and single registrations for operators. */
export type AudienceStore = {
  now(projectId: number): Promise<AudienceNow>;
  /** Each day from `from` to `to` on which anything happened, and before them one with what was live until then, if anybody was. */
  days(projectId: number, from: number, to: number): Promise<AudienceDay[]>;
  /** Counts, by cause, the losses of the days from `from` to `to`. Counts only registrations that have come back. */
  returns(projectId: number, from: number, to: number): Promise<AudienceReturns[]>;
  /**
   * Newest first, below `beforeId` if it is given. Looks at `keys` registrations at most (of its topic, if one is
   * given), so that no filter makes it read a million.
   * @returns at most `limit`, and below which id to go on; null at the end
   */
  list(
    projectId: number,
    filter: RegistrationFilter,
    options: RegistrationPage,
  ): Promise<{ registrations: ListedRegistration[]; next: number | null }>;
  /** The same page as `list`, with more of each registration. */
  listDetailed(
    projectId: number,
    filter: RegistrationFilter,
    options: RegistrationPage,
  ): Promise<{ registrations: DetailedRegistration[]; next: number | null }>;
  /** @param limit of exceptions, and of receipts */
  story(projectId: number, token: string, limit: number): Promise<RegistrationStory | null>;
  /**
   * An operator ends the registration, as `leave` of its browser does: one that is gone, too. Only if there is one that
   * has not left before, and was not removed.
   */
  remove(projectId: number, token: string, audit: AuditEntry, nowMs: number): Promise<boolean>;
};
