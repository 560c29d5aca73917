import { expect, it } from "vitest";
import { timeAgo } from "./time-ago.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

it.each([
  [0, "agora"],
  [minuteMs - 1, "agora"],
  [minuteMs, "há 1 minuto"],
  [hourMs - 1, "há 59 minutos"],
  [hourMs, "há 1 hora"],
  [dayMs - 1, "há 23 horas"],
  [dayMs, "ontem"],
  [2 * dayMs, "anteontem"],
  [30 * dayMs, "há 30 dias"],
])("says of %d ms: %s", (agoMs, words) => {
  const nowMs = Date.UTC(2030, 0, 31);
  expect(timeAgo(nowMs - agoMs, nowMs)).toBe(words);
});
