/** What every implementation of the store must do. Run it from a test file with a way to make databases. */
import { afterEach, beforeEach, describe } from "vitest";
import { setUp, type ContractBench, type TestDatabase } from "./contract/bench.ts";
import { deliveryContract } from "./contract/delivery.ts";
import { projectContract } from "./contract/projects.ts";
import { receiptContract } from "./contract/receipts.ts";
import { registrationContract } from "./contract/registrations.ts";
import { topicContract } from "./contract/topics.ts";

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
    deliveryContract(() => bench);
    topicContract(() => bench);
    receiptContract(() => bench);
  });
}
