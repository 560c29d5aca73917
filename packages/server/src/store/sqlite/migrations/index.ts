import type { DatabaseSync } from "node:sqlite";
import { indexMessages } from "../search-index.ts";
import { start } from "./0001-start.ts";
import { receipts } from "./0002-receipts.ts";
import { batches } from "./0003-batches.ts";
import { access } from "./0004-access.ts";
import { refusals } from "./0005-refusals.ts";
import { audienceFigures } from "./0006-audience-figures.ts";
import { drafts } from "./0007-drafts.ts";
import { receiptsOverTime } from "./0008-receipts-over-time.ts";
import { publishers } from "./0009-publishers.ts";
import { projectDisplayName } from "./0010-project-display-name.ts";
import { exceptionCounts } from "./0011-exception-counts.ts";
import { idempotencyOwners } from "./0012-idempotency-owners.ts";
import { countedTogether } from "./0013-counted-together.ts";
import { pushServices } from "./0014-push-services.ts";
import { pageOrigins } from "./0015-page-origins.ts";
import { receiptsBound } from "./0016-receipts-bound.ts";
import { endedRegistrations } from "./0017-ended-registrations.ts";
import { numberedChallenges } from "./0018-numbered-challenges.ts";
import { exceptionsOutlive } from "./0019-exceptions-outlive.ts";
import { goneEndpoints } from "./0020-gone-endpoints.ts";
import { losses } from "./0021-losses.ts";
import { searchWords } from "./0022-search-words.ts";
import { deliveryHold } from "./0023-delivery-hold.ts";
import { databaseHome } from "./0024-database-home.ts";
import { replacedMessages } from "./0025-replaced-messages.ts";
import { doubtfulTimes } from "./0026-doubtful-times.ts";
import { topicDisplayNames } from "./0027-topic-display-names.ts";

export type Migration = {
  name: string;
  sql: string;
  /** What SQL cannot do, after it and in its transaction. */
  after?: (database: DatabaseSync) => void;
};

/** In the order in which they run. A migration that was published is never changed: add another one. */
export const migrations: readonly Migration[] = [
  { name: "0001-start", sql: start },
  { name: "0002-receipts", sql: receipts },
  { name: "0003-batches", sql: batches },
  { name: "0004-access", sql: access },
  { name: "0005-refusals", sql: refusals },
  { name: "0006-audience-figures", sql: audienceFigures },
  { name: "0007-drafts", sql: drafts },
  { name: "0008-receipts-over-time", sql: receiptsOverTime },
  { name: "0009-publishers", sql: publishers },
  { name: "0010-project-display-name", sql: projectDisplayName },
  { name: "0011-exception-counts", sql: exceptionCounts },
  { name: "0012-idempotency-owners", sql: idempotencyOwners },
  { name: "0013-counted-together", sql: countedTogether },
  { name: "0014-push-services", sql: pushServices },
  { name: "0015-page-origins", sql: pageOrigins },
  { name: "0016-receipts-bound", sql: receiptsBound },
  { name: "0017-ended-registrations", sql: endedRegistrations },
  { name: "0018-numbered-challenges", sql: numberedChallenges },
  { name: "0019-exceptions-outlive", sql: exceptionsOutlive },
  { name: "0020-gone-endpoints", sql: goneEndpoints },
  { name: "0021-losses", sql: losses },
  { name: "0022-search-words", sql: searchWords, after: indexMessages },
  { name: "0023-delivery-hold", sql: deliveryHold },
  { name: "0024-database-home", sql: databaseHome },
  { name: "0025-replaced-messages", sql: replacedMessages },
  { name: "0026-doubtful-times", sql: doubtfulTimes },
  { name: "0027-topic-display-names", sql: topicDisplayNames },
];
