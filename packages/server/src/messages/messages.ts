import type {
  DryRun,
  HttpErrorCode,
  MessageList,
  MessageRequest,
  MessageStatus,
  Problem,
  Published,
} from "@sineta/protocol";
import type { Asker } from "../store/port.ts";
import type { ActiveProject } from "../projects/project.ts";

/** What of a project a message needs. */
export type MessageProject = Pick<ActiveProject, "id" | "origins">;

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
};

/**
 * What is said to whom and when. The command line and the HTTP interface both come here; no HTTP in it, and no SQL.
 */
export type Messages = {
  /**
   * Puts a message into the store; the delivery finds it there. Error codes: `condition-invalid`, `topic-unknown`,
   * `token-not-found`, `schedule-in-past`, `schedule-too-far`, `notification-too-large`, `idempotency-key-reused`,
   * `message-quota-reached` (with `retryAfterSeconds`).
   * @param idempotencyKey a second call with it and the same request publishes nothing, and answers with what the first
   *   has published, as it stands now
   */
  publish(
    project: MessageProject,
    request: MessageRequest,
    asker: Asker,
    idempotencyKey?: string,
  ): Promise<{ kind: "published" | "repeated"; published: Published } | MessageRefusal>;
  /** What publishing this would meet. Nothing is written. The same error codes, but for those of idempotency key and quota. */
  dryRun(
    project: MessageProject,
    request: MessageRequest,
  ): Promise<{ kind: "counted"; dryRun: DryRun } | MessageRefusal>;
  /** All that is known of a message; null if the project has none of this id. */
  status(project: MessageProject, id: string): Promise<MessageStatus | null>;
  /** The latest messages, newest first. */
  list(project: MessageProject, options: { limit: number; before?: string }): Promise<MessageList>;
  /** Ends it: what is on its way still arrives. Error codes: `message-not-found`, `message-ended`. */
  cancel(
    project: MessageProject,
    id: string,
    asker: Asker,
  ): Promise<{ kind: "cancelled"; status: MessageStatus } | MessageRefusal>;
};
