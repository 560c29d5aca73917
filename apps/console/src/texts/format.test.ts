import { expect, test } from "vitest";
import { createFormat } from "./format.ts";

test.for([
  ["pt-BR", "semicolon"],
  ["es", "semicolon"],
  ["en", "comma"],
] as const)("a spreadsheet in %s expects a %s", ([language, separator]) => {
  expect(createFormat(language).csvSeparator).toBe(separator);
});

test.for([
  ["2026-11-30T09:03", "hoje, 09:03"],
  ["2026-11-30T00:00", "hoje, 00:00"],
  ["2026-11-30T23:00", "hoje, 23h"],
  ["2026-11-29T23:59", "ontem, 23:59"],
  ["2026-12-01T09:00", "amanhã, 9h"],
  ["2026-12-01T09:30", "amanhã, 09:30"],
  ["2026-11-04T18:00", "4 nov, 18:00"],
  ["2027-01-02T08:00", "2 jan 2027, 8h"],
] as const)("%s is said as “%s” at noon of November 30", ([moment, said]) => {
  const noon = new Date("2026-11-30T12:00").getTime();
  expect(createFormat("pt-BR").when(moment, noon)).toBe(said);
});

test.for([
  ["es", "mañana, 9:00"],
  ["en", "tomorrow, 9:00 AM"],
] as const)("a full hour of tomorrow is said in %s as “%s”", ([language, said]) => {
  const noon = new Date("2026-11-30T12:00").getTime();
  const at = new Date("2026-12-01T09:00").getTime();
  expect(createFormat(language).when(at, noon).replaceAll(/\s/g, " ")).toBe(said);
});

test.for([
  [0, "0%"],
  [0.000_4, "<0,1%"],
  [0.000_5, "0,1%"],
  [0.328, "32,8%"],
  [0.999_9, "99,9%"],
  [1, "100%"],
] as const)("a share of %d reads as %s", ([share, said]) => {
  expect(createFormat("pt-BR").percent(share)).toBe(said);
});

test.for([
  ["es", "41 s"],
  ["en", "41 sec"],
] as const)("41 seconds are said in %s as “%s”", ([language, said]) => {
  expect(createFormat(language).duration(41_000)).toBe(said);
});

test.for([
  [-500, "0 s"],
  [0, "0 s"],
  [412, "0,4 s"],
  [9_940, "9,9 s"],
  [41_300, "41 s"],
  [59_600, "1 min"],
  [80_000, "1 min 20 s"],
  [3_600_000, "1 h"],
  [3_605_000, "1 h"],
  [7_500_000, "2 h 5 min"],
  [183_600_000, "2 dias 3 h"],
] as const)("%d ms are said as “%s”", ([ms, said]) => {
  expect(createFormat("pt-BR").duration(ms).replaceAll(/\s/g, " ")).toBe(said);
});

test.for([
  [-1, "0 segundo"],
  [60, "1 minuto"],
  [7_500, "2 horas e 5 minutos"],
  [172_800, "2 dias"],
  [2_419_200, "28 dias"],
  [90_061, "1 dia, 1 hora, 1 minuto e 1 segundo"],
] as const)("a validity of %d seconds reads as “%s”", ([seconds, said]) => {
  expect(createFormat("pt-BR").span(seconds)).toBe(said);
});

test.for([
  [-86_399_000, "há 23 horas"],
  [-119_000, "há 1 minuto"],
  [4_600, "em 5 segundos"],
  [86_399_000, "em 24 horas"],
  [86_400_000, "amanhã"],
  [-31 * 86_400_000, "há 1 mês"],
  [-29 * 86_400_000, "há 29 dias"],
  [-401 * 86_400_000, "há 1 ano"],
  [70 * 86_400_000, "em 2 meses"],
] as const)("%d ms from now are said as “%s”", ([ms, said]) => {
  expect(createFormat("pt-BR").relative(1_000_000_000_000 + ms, 1_000_000_000_000)).toBe(said);
});

test("an exact time has seconds and the zone", () => {
  expect(createFormat("pt-BR").exact("2026-11-30T09:03:07")).toMatch(/ 09:03:07 \S+$/);
});

test("a change has a sign, and a large number of an axis few letters", () => {
  const format = createFormat("pt-BR");
  expect([244, 0, -12].map((by) => format.change(by))).toEqual(["+244", "0", "-12"]);
  expect(format.compact(2_000_000).replaceAll(/\s/g, " ")).toBe("2 mi");
});

test.for([
  ["pt-BR", "24 out"],
  ["es", "24 oct"],
  ["en", "Oct 24"],
] as const)("a day is short in %s: %s", ([language, said]) => {
  expect(createFormat(language).shortDay("2026-10-24T00:00")).toBe(said);
});

test("a rate has a decimal only below ten percent", () => {
  const format = createFormat("pt-BR");
  const said = [1, 0.997, 0.3287, 0.1, 0.0941, 0.004, 0].map((share) => format.rate(share));
  expect(said).toEqual(["100%", "99%", "33%", "10%", "9,4%", "0,4%", "0%"]);
});

test("a field writes numbers as the language does", () => {
  const separators = (["pt-BR", "es", "en"] as const).map((each) => createFormat(each).separators);
  const continental = { thousand: ".", decimal: "," };
  expect(separators).toEqual([continental, continental, { thousand: ",", decimal: "." }]);
});

test("after a verb a date has its preposition, and a near day has none", () => {
  const nowMs = Date.parse("2026-11-30T12:00");
  const [near, far] = ["2026-11-29T23:11", "2026-11-04T18:05"];
  const said = (["pt-BR", "es", "en"] as const).map((language) => {
    const format = createFormat(language);
    return [near, far].map((moment) => format.on(moment, nowMs).replaceAll(/\s/g, " "));
  });
  expect(said).toEqual([
    ["ontem, 23:11", "em 4 nov, 18:05"],
    ["ayer, 23:11", "el 4 nov, 18:05"],
    ["yesterday, 11:11 PM", "on Nov 4, 6:05 PM"],
  ]);
});
