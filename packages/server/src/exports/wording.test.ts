import { expect, test } from "vitest";
import * as en from "@sineta/protocol/words/en";
import * as es from "@sineta/protocol/words/es";
import * as pt from "@sineta/protocol/words/pt";
import { createWording, csvFileName } from "./wording.ts";

test("without a language each code stays itself", () => {
  const { heading, word, reason, languageName, moment } = createWording({});
  expect(heading("push_service")).toBe("push_service");
  expect(word("messageStates", "done")).toBe("done");
  expect(reason("throttled")).toBe("throttled");
  expect(languageName("pt")).toBe("pt");
  expect(moment(0)).toBe("1970-01-01T00:00:00.000Z");
  expect(csvFileName("registrations", "default", undefined)).toBe(
    "sineta-registrations-default.csv",
  );
});

test.for([
  ["pt-BR", "Serviço de push", "Concluído", "Português", "Alemão", "inscritos"],
  ["en", "Push service", "Done", "Portuguese", "German", "subscribers"],
  ["es", "Servicio de push", "Terminado", "Portugués", "Alemán", "suscriptores"],
] as const)("in %s everything has its word", ([words, service, done, own, german, file]) => {
  const { heading, word, languageName } = createWording({ words });
  expect(heading("push_service")).toBe(service);
  expect(word("messageStates", "done")).toBe(done);
  expect(["pt", "de"].map(languageName)).toEqual([own, german]);
  expect(csvFileName("registrations", "default", words)).toBe(`sineta-${file}-default.csv`);
});

test("a language without a name, and a reason without words, are told as they are", () => {
  const { languageName, reason } = createWording({ words: "pt-BR" });
  expect(["other", "unknown", "qqx"].map(languageName)).toEqual(["Outro", "Desconhecido", "Qqx"]);
  expect([reason("throttled"), reason("of-tomorrow")]).toEqual([
    "O serviço pediu para ir mais devagar",
    "of-tomorrow",
  ]);
});

test.for(Object.entries({ pt, en, es }))(
  "no heading of a table stands over two columns: %s",
  ([, { columns }]) => {
    const headings = Object.values(columns);
    expect(headings.filter((heading, at) => headings.indexOf(heading) !== at)).toEqual([]);
  },
);

test("moments are in the time zone, on both sides of a change of its clocks", () => {
  const { moment } = createWording({ timeZone: "Europe/Berlin" });
  const before = Date.parse("2026-03-29T00:59:59.999Z");
  expect([before, before + 1].map(moment)).toEqual(["2026-03-29 01:59:59", "2026-03-29 03:00:00"]);
  expect([null, 9e15].map(moment)).toEqual(["", ""]);
  // This clock changes by half an hour, once a year at a half hour of UTC.
  const howe = createWording({ timeZone: "Australia/Lord_Howe" }).moment;
  const change = Date.parse("2026-10-03T15:30:00Z");
  expect([change - 1, change].map(howe)).toEqual(["2026-10-04 01:59:59", "2026-10-04 02:30:00"]);
});

test("a time of day is written as moments are", () => {
  const { localTime } = createWording({ timeZone: "America/Sao_Paulo" });
  expect(["2026-12-01T09:00", "2026-12-01T09:00:30", null].map(localTime)).toEqual([
    "2026-12-01 09:00:00",
    "2026-12-01 09:00:30",
    "",
  ]);
  expect(createWording({}).localTime("2026-12-01T09:00")).toBe("2026-12-01T09:00");
});
