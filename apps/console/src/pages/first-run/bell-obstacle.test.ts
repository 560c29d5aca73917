import { expect, test } from "vitest";
import { bellObstacle, type BellObstacle, type Surroundings } from "./bell-obstacle.ts";

const desk = { userAgent: "Chrome", platform: "Linux x86_64", maxTouchPoints: 0 };
const secure = { isSecureContext: true, location: { protocol: "https:" }, navigator: desk };
const able = { ...secure, PushManager: 0, Notification: 0 };
const loopback = { ...able, location: { protocol: "http:" } };

test.for<[string, Surroundings, NotificationPermission | null, boolean, BellObstacle | null]>([
  ["not asked yet", able, "default", true, null],
  ["allowed", able, "granted", true, null],
  ["denied", able, "denied", true, "denied"],
  ["http", { ...loopback, isSecureContext: false }, null, false, "insecure"],
  ["http on this machine", loopback, "default", false, "loopback"],
  ["a phone", { ...able, navigator: { ...desk, userAgent: "iPhone" } }, null, false, "apple"],
  [
    "a tablet that calls itself a Mac",
    { ...able, navigator: { ...desk, platform: "MacIntel", maxTouchPoints: 5 } },
    null,
    false,
    "apple",
  ],
  ["a browser without push", secure, null, false, "unsupported"],
])("%s", ([, page, permission, isOffered, obstacle]) => {
  expect(bellObstacle(page, { isOffered, permission })).toBe(obstacle);
});
