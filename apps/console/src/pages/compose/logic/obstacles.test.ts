import { expect, test } from "vitest";
import { obstaclesOf } from "./obstacles.ts";

test("browsers that wait and browsers that are left out are counted by reason", () => {
  const service = { pushService: "fcm" as const, registrations: 9, warnings: [] };
  const held = (reason: string, registrations: number) => ({ reason, detail: "", registrations });
  const byPushService = [
    {
      ...service,
      waiting: [held("unavailable", 2), held("throttled", 1)],
      refused: [held("vapid-key-unknown", 1)],
    },
    {
      ...service,
      pushService: "mozilla" as const,
      waiting: [held("unavailable", 3)],
      refused: [held("vapid-key-unknown", 4), held("endpoint-not-allowed", 2)],
    },
    {
      ...service,
      pushService: "apple" as const,
      waiting: [],
      refused: [held("endpoint-not-allowed", 9)],
    },
  ];
  expect(obstaclesOf({ byPushService })).toEqual({
    waiting: [
      { why: "unavailable", count: 5 },
      { why: "throttled", count: 1 },
    ],
    refused: [
      { reason: "vapid-key-unknown", count: 5 },
      { reason: "endpoint-not-allowed", count: 11 },
    ],
    reached: 11,
    services: [
      { pushService: "fcm", reached: 8 },
      { pushService: "mozilla", reached: 3 },
    ],
  });
  expect(obstaclesOf({ byPushService: [] })).toEqual({
    waiting: [],
    refused: [],
    reached: 0,
    services: [],
  });
});
