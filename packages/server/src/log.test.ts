import { describe, expect, test } from "vitest";
import { createLog } from "./log.ts";

function lines(isTTY: boolean) {
  const written: string[] = [];
  return { written, log: createLog("info", { write: (text) => written.push(text), isTTY }) };
}

describe("the log", () => {
  test("is JSON for machines", () => {
    const { written, log } = lines(false);
    log.info({ port: 1 }, "listening");
    log.debug("not shown");
    expect(written).toHaveLength(1);
    expect(JSON.parse(written[0] ?? "null")).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      port: 1,
      msg: "listening",
    });
  });

  test("is lines for people, a cause with its stack", () => {
    const { written, log } = lines(true);
    log.warn({ reason: "vapid-refused", registrations: 3 }, "not accepted");
    log.error({ err: new Error("the disk is full") }, "delivery step failed");
    expect(written[0]).toMatch(/^\S+Z WARN not accepted reason="vapid-refused" registrations=3\n$/);
    expect(written[1]).toMatch(/^\S+Z ERROR delivery step failed\nError: the disk is full\n +at /);
  });

  test("says what to do about a damaged database", () => {
    for (const [isTTY, remedy] of [
      [false, '"remedy":"The database is damaged: stop Sineta, '],
      [true, "delivery step failed\nThe database is damaged: stop Sineta, "],
    ] as const) {
      const { written, log } = lines(isTTY);
      const error = Object.assign(new Error("database disk image is malformed"), { errcode: 11 });
      log.error({ err: error }, "delivery step failed");
      expect(written[0]).toContain(remedy);
      // The first tells of another process, the second of SQL that is wrong.
      for (const [errcode, message] of [
        [5, "database is locked"],
        [1, "cannot commit - no transaction is active"],
      ] as const) {
        log.error({ err: Object.assign(new Error(message), { errcode }) }, "delivery step failed");
        expect(written.at(-1)).not.toContain("damaged");
      }
    }
  });
});
