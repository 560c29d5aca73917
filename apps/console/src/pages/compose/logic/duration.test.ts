import { expect, test } from "vitest";
import { durationText } from "./duration.ts";

test.for([
  [0, "0 segundo"],
  [-1, "0 segundo"],
  [60, "1 minuto"],
  [7500, "2 horas e 5 minutos"],
  [2_419_200, "4 semanas"],
  [90_061, "1 dia e 1 hora"],
] as const)("%i seconds are %s", ([seconds, text]) => {
  expect(durationText(seconds, "pt-BR")).toMatch(new RegExp(`^${text}s?$`));
});
