/** What operators take out of the console: tables in their language, which a spreadsheet opens as they are. */
import { tokenOf } from "../support/bell.ts";
import { downloaded } from "../support/download.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole } from "../support/operator.ts";

const headings =
  "Registrado (UTC);Situação;Site;Navegador;Sistema;Idioma;Fuso horário;Serviço de push;Usuário do site;Tópicos;Confirmado (UTC);Terminou (UTC)";

test("the audience is downloaded as the filters show it, without tokens unless the operator asks for them", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await server.run("topics", "add", "ofertas");
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/publico");
  const open = page.getByRole("button", { name: "Exportar CSV" });
  await expect(page.getByText("Ninguém se registrou ainda.")).toBeVisible();
  await expect(open).toHaveCount(0);

  const token = await tokenOf(await visit({ url: server.url }));
  await server.run("topics", "join", "ofertas", token);
  await page.reload();
  await open.click();
  await expect(page.getByRole("menu")).toContainText("Todos os inscritos");
  await lookAt(page, "audience-export");
  const plain = page.getByRole("menuitem", { name: /^Sem tokens/ });
  const withTokens = page.getByRole("menuitem", { name: /^Com tokens/ });
  const { lines, name } = await downloaded(page, () => plain.click());
  expect(name).toMatch(/^sineta-inscritos-default-\d{4}-\d\d-\d\d\.csv$/);
  const [registered, ...cells] = lines[1]?.split(";") ?? [];
  expect(registered).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(headings);
  const site = new URL(server.url).origin;
  expect(cells.slice(0, 9)).toEqual([
    "Alcançável",
    site,
    "Chrome",
    "Linux",
    "Inglês",
    "UTC",
    '"Google (Chrome, Edge, Opera)"',
    "",
    "ofertas",
  ]);
  expect(lines.join()).not.toContain(token);

  await open.click();
  const tokens = await downloaded(page, () => withTokens.click());
  expect(tokens.lines[0]).toBe(`Token;${headings}`);
  expect(tokens.lines[1]).toContain(token);

  await page.getByLabel("Situação").selectOption("Saiu");
  await expect(page.getByText("Nenhum registro encontrado")).toBeVisible();
  await open.click();
  await expect(page.getByRole("menu")).toContainText("Só o que os filtros mostram");
  expect((await downloaded(page, () => plain.click())).lines).toEqual([headings]);

  await page.goto(new URL("/painel/ajustes/auditoria", server.url).href);
  await expect(page.getByText("Inscritos exportados")).toHaveCount(4);
  await expect(page.getByText("com tokens: sim")).toHaveCount(1);
  expect(complaints).toEqual([]);
});
