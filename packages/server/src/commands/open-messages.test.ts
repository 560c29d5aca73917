import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../config.ts";
import { takeServeLock } from "../serve-lock.ts";
import { makeData } from "../test/make-data.ts";
import { commandLineAsker } from "./asker.ts";
import { withMessages } from "./open-messages.ts";

test("a message that is due is told as sending beside a server, and as scheduled without one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sineta-open-messages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { config } = readConfig({ flags: {}, environment: {}, folder });
  await makeData(config.dataFolder);
  const stateOfNew = () =>
    withMessages(config, async ({ messages, project }) => {
      const request = { target: { kind: "all" }, notification: { title: "Olá" } } as const;
      const result = await messages.publish(project, request, commandLineAsker());
      if (result.kind === "refused") throw new Error(result.code);
      return result.published.state;
    });
  expect(await stateOfNew()).toBe("scheduled");
  const stopServing = takeServeLock(config.dataFolder);
  onTestFinished(stopServing);
  expect(await stateOfNew()).toBe("sending");
});
