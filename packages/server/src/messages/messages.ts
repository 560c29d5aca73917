import type {
  DryRun,
  HttpErrorCode,
  MessageExceptions,
  MessageFilterQuery,
  MessageList,
  MessageMove,
  MessageRequest,
  MessageStatus,
  Problem,
  Published,
  ReceiptsOverTime,
} from "@sineta/protocol";
import type { CsvStyle } from "../exports/wording.ts";
import type { Asker, ExceptionsOptions } from "../store/port.ts";
import type { ActiveProject } from "../projects/project.ts";

/** What of a project a message needs. */
export type MessageProject = { id: number; origins: Pick<ActiveProject["origins"], "all"> };

/** Why a message cannot be published or changed: a code of the catalogue, and the fields that are wrong. */
export type MessageRefusal = {
  kind: "refused";
  code: HttpErrorCode;
  /** `path` as in the request; `message` says what is wrong with it, with the number or position where there is one. */
  fields?: NonNullable<Problem["fields"]>;
  /** Of `token-not-found`: the project has a topic of the name that was given as a token. */
  isTopic?: boolean;
  /** Where it helps to wait. */
  retryAfterSeconds?: number;
  /** Of `draft-published`: what it was published as. Of `message-replaced`: the message that replaced it. */
  messageId?: string;
};

/** `registrations`: who did not simply accept it, each with why. `figures`: how many, by push service. */
export type ExportTable = "registrations" | "figures";

/**
 * What is said to whom and when. The command line and the HTTP interface both come here; no HTTP in it, and no SQL.
 */
export type Messages = {
  /**
   * Puts a message into the store; the delivery finds it there. Error codes: `condition-invalid`, `topic-unknown`,
   * `token-not-found`, `schedule-in-past`, `schedule-too-far`, `notification-too-large`, `idempotency-key-reused`,
   * `message-quota-reached` (with `retryAfterSeconds`), `api-key-invalid` (it ended meanwhile). For a request with `replaces` also
   * `message-not-found`, `message-started`, `message-ended`, `message-replaced` (with `messageId`).
   * @param idempotencyKey a second call with it and the same request publishes nothing, and answers with what the first
   *   has published, as it stands now
   */
  publish(
    project: MessageProject,
    request: MessageRequest,
    asker: Asker,
    idempotencyKey?: string,
  ): Promise<{ kind: "published" | "repeated"; published: Published } | MessageRefusal>;
  /**
   * The same for what a draft says, which is removed with it. A second call for the draft publishes nothing: with the
   * same request it answers with what the first has published, with another one `draft-published`, whoever asks.
   */
  publishDraft(
    project: MessageProject,
    draftId: string,
    request: MessageRequest,
    asker: Asker,
  ): ReturnType<Messages["publish"]>;
  /**
   * What publishing this would meet. Nothing is written. The same error codes, but for those of idempotency key and quota.
   * @param signal aborted when nobody waits for the answer any more
   */
  dryRun(
    project: MessageProject,
    request: MessageRequest,
    signal?: AbortSignal,
  ): Promise<{ kind: "counted"; dryRun: DryRun } | MessageRefusal>;
  /** All that is known of a message; null if the project has none of this id. */
  status(project: MessageProject, id: string): Promise<MessageStatus | null>;
  /** The latest messages that pass the filter, newest first. */
  list(
    project: MessageProject,
    options: { limit: number; before?: string; filter?: MessageFilterQuery },
  ): Promise<MessageList>;
  /** Who did not simply accept it, page by page; null if the project has no such message. */
  exceptions(
    project: MessageProject,
    id: string,
    options: ExceptionsOptions,
  ): Promise<MessageExceptions | null>;
  /** What became of it hour by hour; null if the project has no such message. */
  receiptsOverTime(project: MessageProject, id: string): Promise<ReceiptsOverTime | null>;
  /** All that pass the filter, newest first, as CSV in pieces. */
  exportList(
    project: MessageProject,
    filter: MessageFilterQuery,
    style: CsvStyle,
  ): AsyncIterable<string>;
  /** One message as CSV in pieces; null if the project has none of this id. */
  exportOne(
    project: MessageProject,
    id: string,
    options: CsvStyle & { table: ExportTable; withTokens: boolean },
  ): Promise<AsyncIterable<string> | null>;
  /** Moves a scheduled message to another time. It gets a new id. Error codes: those of `publish`. */
  move(
    project: MessageProject,
    id: string,
    to: MessageMove,
    asker: Asker,
    idempotencyKey?: string,
  ): ReturnType<Messages["publish"]>;
  /**
   * Ends it: what is on its way still arrives. Error codes: `message-not-found`, `message-ended`, `message-replaced`.
   */
  cancel(
    project: MessageProject,
    id: string,
    asker: Asker,
  ): Promise<{ kind: "cancelled"; status: MessageStatus } | MessageRefusal>;
};
