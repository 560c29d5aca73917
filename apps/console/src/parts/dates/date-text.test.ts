import { expect, test } from "vitest";
import { dateTextOf } from "./date-text.ts";

const today = "2026-11-30";
const portuguese = dateTextOf("pt-BR");

test.for([
  ["02/12/2026", "2026-12-02"],
  ["2/12", "2026-12-02"],
  ["0212", "2026-12-02"],
  ["021226", "2026-12-02"],
  ["02122026", "2026-12-02"],
  ["24.12.26", "2026-12-24"],
  ["2 dez", "2026-12-02"],
  ["2 de dezembro de 2027", "2027-12-02"],
  ["30 mar", "2027-03-30"],
  ["2026-12-24", "2026-12-24"],
  ["Amanhã", "2026-12-01"],
  ["hoje", today],
  ["30/11", today],
  // The day before is next year's.
  ["29/11", "2027-11-29"],
  ["29/02/2028", "2028-02-29"],
  ["29/02", "2028-02-29"],
  ["30/02", null],
  ["00/12", null],
  ["2/13", null],
  ["2", null],
  ["12", null],
  ["123", null],
  ["2 xyz", null],
  // More than a day is no day: a time must not be read as a year.
  ["2/12 9h", null],
  ["24/12 às 18h", null],
  ["2 dez, 18:30", null],
  ["24/12/2026 18:30", null],
  ["10:11", null],
  ["dez 2026", null],
  ["3/4/5/6", null],
  ["5/12/2", null],
  ["1e3", null],
  ["anteontem", "2026-11-28"],
  ["depois de amanhã", "2026-12-02"],
  ["2026/12/05", "2026-12-05"],
  ["depois", null],
  ["1/1/1969", null],
  ["", null],
] as const)("a Brazilian who types “%s” means %s", ([typed, day]) => {
  expect(portuguese.readDay(typed, today, "next")).toBe(day);
});

test.for([
  ["30/11", today],
  ["1/12", "2025-12-01"],
  ["29/02", "2024-02-29"],
  ["1/12/2026", "2026-12-01"],
] as const)("“%s” of what is over means %s", ([typed, day]) => {
  expect(portuguese.readDay(typed, today, "last")).toBe(day);
});

test("a day is read in the order in which the language writes it", () => {
  const read = (["pt-BR", "es", "en"] as const).map((language) => {
    const text = dateTextOf(language);
    return [text.day("2026-12-02"), text.readDay("3/4/2027", today, "next")];
  });
  expect(read).toEqual([
    ["02/12/2026", "2027-04-03"],
    ["02/12/2026", "2027-04-03"],
    ["12/02/2026", "2027-03-04"],
  ]);
  expect(dateTextOf("es").readDay("mañana", today, "next")).toBe("2026-12-01");
  expect(dateTextOf("es").readDay("pasado mañana", today, "next")).toBe("2026-12-02");
  for (const typed of ["Dec 2", "December 2, 2026", "2 Dec 2026"]) {
    expect([typed, dateTextOf("en").readDay(typed, today, "next")]).toEqual([typed, "2026-12-02"]);
  }
});

test.for([
  ["9", "09:00"],
  ["9h", "09:00"],
  ["9 h", "09:00"],
  ["9h30", "09:30"],
  ["0930", "09:30"],
  ["930", "09:30"],
  ["18:30", "18:30"],
  ["9.15", "09:15"],
  ["6:30 PM", "18:30"],
  ["6 p.m.", "18:00"],
  ["12 am", "00:00"],
  ["12 pm", "12:00"],
  ["0", "00:00"],
  ["24", null],
  ["13 pm", null],
  ["9:60", null],
  ["nove", null],
  ["9hs", "09:00"],
  ["9 horas", "09:00"],
  ["9h30min", "09:30"],
  ["às 9h", "09:00"],
  ["9,30", "09:30"],
  ["6:30p", "18:30"],
  ["", null],
] as const)("the time “%s” is %s", ([typed, time]) => {
  expect(portuguese.readTime(typed)).toBe(time);
});

test("what a field shows is read as the same", () => {
  for (const language of ["pt-BR", "es", "en"] as const) {
    const text = dateTextOf(language);
    expect(text.readDay(text.day("2026-02-01"), today, "next")).toBe("2026-02-01");
    for (const time of ["00:00", "09:05", "12:00", "23:59"]) {
      expect(text.readTime(text.time(time))).toBe(time);
    }
  }
});
