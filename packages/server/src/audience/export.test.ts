import { expect, test } from "vitest";
import type { DetailedRegistration } from "../store/port.ts";
import { registrationsAsCsv } from "./export.ts";

const at = (second: number) => Date.parse(`2026-12-01T12:00:0${second}Z`);
const registration: DetailedRegistration = {
  id: 7,
  token: "token-7",
  state: "gone",
  pushOrigin: "https://updates.push.services.mozilla.com",
  browser: "firefox",
  system: "android",
  language: "pt",
  origin: "https://padaria.example",
  userId: "=cliente,7",
  createdAtMs: at(1),
  refreshedAtMs: at(2),
  endedAtMs: at(3),
  timeZone: "America/Sao_Paulo",
  topics: [
    { name: "bread", displayName: "Pão do dia" },
    { name: "cake", displayName: "Bolo" },
  ],
};

async function rowsOf(style: Parameters<typeof registrationsAsCsv>[3]) {
  const page = { registrations: [registration], next: null };
  const audience = { listDetailed: async () => page };
  let text = "";
  for await (const piece of registrationsAsCsv(audience, 1, {}, style)) text += piece;
  const [names = "", cells = ""] = text.slice(1).split("\r\n");
  return [names, cells];
}

test("each column has its own of the registration", async () => {
  expect(await rowsOf({ separator: "comma", withTokens: true })).toEqual([
    "token,registered_at,state,origin,browser,system,language,time_zone,push_service,user,topics,confirmed_at,ended_at",
    "token-7,2026-12-01T12:00:01.000Z,gone,https://padaria.example,firefox,android,pt,America/Sao_Paulo,mozilla," +
      `"'=cliente,7",bread cake,2026-12-01T12:00:02.000Z,2026-12-01T12:00:03.000Z`,
  ]);
});

test("for people topics have their display names, and moments are in the zone", async () => {
  const timeZone = "america/sao_paulo";
  const style = { separator: "semicolon", words: "es", timeZone, withTokens: false } as const;
  const zone = "(America/Sao_Paulo)";
  expect(await rowsOf(style)).toEqual([
    `Registrado ${zone};Estado;Sitio;Navegador;Sistema;Idioma;Zona horaria;Servicio de push;Usuario del sitio;Temas;Confirmado ${zone};Terminó ${zone}`,
    `2026-12-01 09:00:01;Suscripción terminada;https://padaria.example;Firefox;Android;Portugués;America/Sao_Paulo;Mozilla (Firefox);` +
      `"'=cliente,7";Bolo | Pão do dia;2026-12-01 09:00:02;2026-12-01 09:00:03`,
  ]);
});
