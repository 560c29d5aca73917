import { expect, test } from "vitest";
import { obstaclesOf } from "./obstacles.ts";

test("who waits is told by why they wait, and nothing that did not answer has asked for a pause", () => {
  const service = { pushService: "fcm" as const, registrations: 9, warnings: [] };
  const held = (reason: string, registrations: number) => ({ reason, detail: "", registrations });
  const byPushService = [
    { ...service, waiting: [held("unavailable", 2), held("throttled", 1)], refused: [] },
    { ...service, waiting: [held("unavailable", 3)], refused: [held("vapid-key-unknown", 4)] },
  ];
  expect(obstaclesOf({ byPushService })).toEqual({
    waiting: [
      { why: "unavailable", count: 5 },
      { why: "throttled", count: 1 },
    ],
    refused: 4,
  });
  expect(obstaclesOf({ byPushService: [] })).toEqual({ waiting: [], refused: 0 });
});
