import { expect, test } from "vitest";
import { connect, openDatabase } from "./connection.ts";
import { draftsWith, messagesWith } from "./images.ts";
import { migrate } from "./migrate.ts";
import { fill, readsOf } from "./testing/query-plan.ts";

test.for(["fresh", "analysed"])(
  "what shows an image is looked for in a project's drafts and in what has not ended, in a %s database",
  (state) => {
    const database = openDatabase(":memory:");
    migrate(database, 0);
    if (state === "analysed") fill(database);
    const connection = connect(database);
    const hash = Buffer.alloc(32);
    const reads = (query: ReturnType<typeof draftsWith>) =>
      readsOf(database, { compile: () => query.compile(connection) });
    expect(reads(draftsWith(1, hash))).toEqual([
      "SEARCH drafts USING INDEX drafts_of_project (project_id=?)",
    ]);
    expect(reads(messagesWith(1, hash))).toEqual([
      "SEARCH messages USING INDEX messages_by_state (state=?)",
    ]);
    database.close();
  },
);
