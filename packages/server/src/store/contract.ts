/** What every implementation of the store must do. Run it from a test file with a way to make databases. */
import { afterEach, beforeEach, describe } from "vitest";
import { apiKeyContract } from "./contract/api-keys.ts";
import { attentionContract } from "./contract/attention.ts";
import { audienceFiguresContract } from "./contract/audience-figures.ts";
import { audienceContract } from "./contract/audiences.ts";
import { setUp, type ContractBench, type TestDatabase } from "./contract/bench.ts";
import { breakerContract } from "./contract/breakers.ts";
import { cancelContract } from "./contract/cancel.ts";
import { deliveryPlay } from "./contract/delivery-play.ts";
import { deliveryContract } from "./contract/delivery.ts";
import { endedRegistrationContract } from "./contract/ended-registrations.ts";
import { exceptionCountContract } from "./contract/exception-counts.ts";
import { exceptionContract } from "./contract/exceptions.ts";
import { messageListContract } from "./contract/message-list.ts";
import { goneEndpointContract } from "./contract/gone-endpoints.ts";
import { lossContract } from "./contract/losses.ts";
import { draftContract } from "./contract/drafts.ts";
import { holdContract } from "./contract/hold.ts";
import { imageContract } from "./contract/images.ts";
import { messageContract } from "./contract/messages.ts";
import { operatorContract } from "./contract/operators.ts";
import { progressContract } from "./contract/progress.ts";
import { projectContract } from "./contract/projects.ts";
import { receiptContract } from "./contract/receipts.ts";
import { registrationListContract } from "./contract/registration-list.ts";
import { registrationContract } from "./contract/registrations.ts";
import { replacingContract } from "./contract/replacing.ts";
import { retentionContract } from "./contract/retention.ts";
import { passkeyContract } from "./contract/passkeys.ts";
import { secondFactorContract } from "./contract/second-factors.ts";
import { sessionContract } from "./contract/sessions.ts";
import { topicContract } from "./contract/topics.ts";
import { unusedHostContract } from "./contract/unused-hosts.ts";

export function storeContract(name: string, makeDatabase: () => Promise<TestDatabase>): void {
  describe(`store contract: ${name}`, () => {
    let database: TestDatabase;
    let bench: ContractBench;

    beforeEach(async () => {
      database = await makeDatabase();
      bench = await setUp(database);
    });
    afterEach(async () => {
      await bench.store.close();
      await database.remove();
    });

    projectContract(() => bench);
    registrationContract(() => bench);
    goneEndpointContract(() => bench);
    lossContract(() => bench);
    topicContract(() => bench);
    audienceFiguresContract(() => bench);
    registrationListContract(() => bench);
    attentionContract(() => bench);
    audienceContract(() => bench);
    messageContract(
      () => bench,
      () => database.open(),
    );
    messageListContract(() => bench);
    exceptionContract(() => bench);
    exceptionCountContract(() => bench);
    deliveryContract(() => bench);
    cancelContract(
      () => bench,
      () => database.open(),
    );
    replacingContract(() => bench);
    progressContract(() => bench);
    breakerContract(() => bench);
    holdContract(() => bench);
    receiptContract(() => bench);
    apiKeyContract(() => bench);
    operatorContract(() => bench);
    sessionContract(() => bench);
    secondFactorContract(() => bench);
    passkeyContract(() => bench);
    retentionContract(() => bench);
    endedRegistrationContract(() => bench);
    unusedHostContract(() => bench);
    draftContract(() => bench);
    imageContract(() => bench);
  });

  describe(`store contract: ${name}, all at once`, () => {
    deliveryPlay(makeDatabase);
  });
}
