/**
 * What is kept, and what every database behind it guarantees:
 *
 * - A call that has settled is durable: it survives the process being killed and the machine losing power.
 * - Each call is one transaction: all of it is there afterwards, or nothing of it.
 * - Guards hold against everyone, other processes included: where a call says "only if", the check and the
 *   change cannot be parted, and the answer says whether it changed anything.
 * - Times are milliseconds since 1970 and are always the caller's; the store reads no clock.
 *
 * Every implementation passes `storeContract` (contract.ts).
 */
import type { ApiKeyStore } from "./port/api-keys.ts";
import type { AudienceStore } from "./port/audience.ts";
import type { AuditStore } from "./port/audit.ts";
import type { BreakerStore } from "./port/breakers.ts";
import type { DeliveryStore } from "./port/delivery.ts";
import type { DraftStore } from "./port/drafts.ts";
import type { HoldStore } from "./port/hold.ts";
import type { ImageStore } from "./port/images.ts";
import type { MessageStore } from "./port/messages.ts";
import type { OperatorStore } from "./port/operators.ts";
import type { ProjectStore } from "./port/projects.ts";
import type { ReceiptStore } from "./port/receipts.ts";
import type { RegistrationStore } from "./port/registrations.ts";
import type { PasskeyStore, SecondFactorStore } from "./port/second-factors.ts";
import type { SessionStore } from "./port/sessions.ts";
import type { RetentionStore } from "./port/retention.ts";
import type { SealedStore } from "./port/sealed.ts";
import type { TopicStore } from "./port/topics.ts";

export type Store = {
  projects: ProjectStore;
  registrations: RegistrationStore;
  audience: AudienceStore;
  topics: TopicStore;
  messages: MessageStore;
  receipts: ReceiptStore;
  delivery: DeliveryStore;
  breakers: BreakerStore;
  hold: HoldStore;
  apiKeys: ApiKeyStore;
  audit: AuditStore;
  sealed: SealedStore;
  retention: RetentionStore;
  operators: OperatorStore;
  sessions: SessionStore;
  secondFactors: SecondFactorStore;
  passkeys: PasskeyStore;
  drafts: DraftStore;
  images: ImageStore;
  /** Rejects if nothing can be stored: the database does not answer, cannot be written, or is gone. */
  check(): Promise<void>;
  /** Closes the database. Repeatable. */
  close(): Promise<void>;
};

export type { MessageState, MessageTarget, Urgency } from "@sineta/protocol";
export type * from "./port/api-keys.ts";
export type * from "./port/audience.ts";
export type * from "./port/audit.ts";
export type * from "./port/breakers.ts";
export type * from "./port/delivery.ts";
export type * from "./port/drafts.ts";
export type * from "./port/hold.ts";
export type * from "./port/images.ts";
export { MessageUnreadable } from "./port/messages.ts";
export type * from "./port/messages.ts";
export type * from "./port/operators.ts";
export type * from "./port/projects.ts";
export type * from "./port/receipts.ts";
export type * from "./port/registrations.ts";
export type * from "./port/retention.ts";
export type * from "./port/sealed.ts";
export type * from "./port/second-factors.ts";
export type * from "./port/sessions.ts";
export type * from "./port/topics.ts";
