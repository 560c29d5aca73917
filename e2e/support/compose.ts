/** What the tests of Novo aviso share: opening it, asking the server as an operator, and what stands on the page. */
import type { Page } from "@playwright/test";
import { tokenOf } from "./bell.ts";
import type { Serve } from "./fixtures.ts";
import { enrolOwner, openConsole, type Visit } from "./operator.ts";
import type { SinetaServer } from "./server.ts";

/** But for what the server refused, as it should, or for a server or push service that is away, nothing was complained of. */
export const ours = (complaints: readonly string[]) =>
  complaints.filter(
    (text) => !/status of 40[0149]|ERR_CONNECTION|ERR_FAILED|nothing came within 20 s/.test(text),
  );

export type Cookie = { name: string; value: string };

/**
 * Novo aviso, opened by the owner of a server that has just been started.
 * @param environment settings of the server
 * @param readers how many visitors of its site have turned the bell on before
 * @param allows whether the owner's own browser allows notifications: then it is one more that a notice reaches
 */
export async function openComposer(
  { serve, visit }: { serve: Serve; visit: Visit },
  {
    environment = {},
    readers = 0,
    allows = true,
  }: { environment?: Record<string, string>; readers?: number; allows?: boolean } = {},
) {
  const server = await serve(environment);
  const cookie = await enrolOwner(server);
  for (let at = 0; at < readers; at += 1) {
    await tokenOf(await visit({ url: server.url }));
  }
  const opened = await openConsole({ server, visit }, cookie, "/avisos/novo", { allows });
  return { server, cookie, ...opened };
}

export const api = async (
  server: SinetaServer,
  cookie: Cookie,
  path: string,
  init: RequestInit = {},
) => {
  const headers = {
    Cookie: `${cookie.name}=${cookie.value}`,
    Origin: new URL(server.url).origin,
    ...(init.body === undefined ? {} : { "Content-Type": "application/json" }),
  };
  return fetch(new URL(`/v1/${path}`, server.url), { ...init, headers });
};

/** Picks one of the choices that stand in a row. */
export const pick = async (page: Page, row: string, choice: string) =>
  page
    .getByRole("radiogroup", { name: row, exact: true })
    .getByText(choice, { exact: true })
    .click();

export const dayField = (page: Page) => page.getByLabel("Dia", { exact: true });
export const timeField = (page: Page) => page.getByLabel("Hora", { exact: true });

/** Types when a notice is to go out, and leaves the fields. @param day as the console writes it: "02/12/2026" */
export async function typeMoment(page: Page, day: string, time: string): Promise<void> {
  await dayField(page).fill(day);
  await dayField(page).blur();
  await timeField(page).fill(time);
  await timeField(page).blur();
}

/** A day as the console writes it in Portuguese. */
export const writtenDay = (day: Date) =>
  day.toLocaleDateString("pt-BR", { day: "2-digit", month: "2-digit", year: "numeric" });

export const writtenTime = (moment: Date) =>
  moment.toLocaleTimeString("pt-BR", { hour: "2-digit", minute: "2-digit" });

/** The one number: who will receive it. */
export const reach = (page: Page) => page.locator("main").getByTestId("reach");
export const title = (page: Page) => page.getByLabel("Título", { exact: true });
export const state = (page: Page) => page.getByTestId("save-state");
export const saved = /^Salvo às \d/;
