/** What the tests of Novo aviso share: opening it, asking the server as an operator, and what stands on the page. */
import type { Page } from "@playwright/test";
import { enrolOwner, openConsole, type Visit } from "./operator.ts";
import type { SinetaServer } from "./server.ts";

/** But for what the server refused, as it should, or for a server or push service that is away, nothing was complained of. */
export const ours = (complaints: readonly string[]) =>
  complaints.filter(
    (text) => !/status of 40[0149]|ERR_CONNECTION|ERR_FAILED|nothing came within 20 s/.test(text),
  );

export type Cookie = { name: string; value: string };

/** Novo aviso, opened by the owner of a server that has just been started. */
export async function openComposer({
  serve,
  visit,
}: {
  serve: () => Promise<SinetaServer>;
  visit: Visit;
}) {
  const server = await serve();
  const cookie = await enrolOwner(server);
  return { server, cookie, ...(await openConsole({ server, visit }, cookie, "/avisos/novo")) };
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

/** The one number: who will receive it. */
export const reach = (page: Page) => page.locator("main").getByTestId("reach");
export const title = (page: Page) => page.getByLabel("Título", { exact: true });
export const state = (page: Page) => page.getByTestId("save-state");
export const saved = /^Salvo às \d/;
