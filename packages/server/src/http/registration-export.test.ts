import { afterEach, beforeEach, expect, test } from "vitest";
import { appBench, expectProblem, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

let bench: AppBench;
let key: string;
beforeEach(async () => {
  bench = await appBench();
  key = await bench.key();
});
afterEach(() => bench.close());

const firefox = {
  "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
};
const register = async (changes: Parameters<AppBench["post"]>[1] = {}) =>
  tokenOf(await bench.post(testBrowser(), changes));
const ask = (query = "") => bench.ask(`registrations/export${query}`, key);

async function linesOf(response: Response): Promise<string[]> {
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  const [mark, ...text] = Buffer.from(await response.arrayBuffer()).toString();
  expect(mark).toBe("\uFEFF");
  const lines = text.join("").split("\r\n");
  expect(lines.pop()).toBe("");
  return lines;
}

const headings =
  "registered_at,state,origin,browser,system,language,time_zone,push_service,user,topics,confirmed_at,ended_at";

test("the audience is exported, newest first, without tokens, endpoints and keys", async () => {
  await bench.store.topics.add(bench.project.id, { name: "cake", policy: "open" }, 1);
  await bench.store.topics.add(bench.project.id, { name: "bread", policy: "open" }, 1);
  await bench.store.topics.edit(bench.project.id, "bread", { displayName: "Pão do dia" });
  const more = { locale: "pt-BR", timeZone: "America/Sao_Paulo", topics: ["cake", "bread"] };
  const token = await register({ headers: firefox, more });
  await register();
  const response = await ask();
  expect(response.headers.get("Content-Disposition")).toBe(
    'attachment; filename="sineta-registrations-default-1970-01-01.csv"',
  );
  const at = "1970-01-01T00:00:01.000Z";
  const site = "https://site.example";
  const lines = await linesOf(response);
  expect(lines).toEqual([
    headings,
    `${at},live,${site},unknown,unknown,unknown,,fcm,,,${at},`,
    `${at},live,${site},firefox,linux,pt,America/Sao_Paulo,fcm,,bread cake,${at},`,
  ]);
  expect(lines.join()).not.toContain(token);
  const [line] = await bench.store.audit.list([bench.project.id], { limit: 1 });
  expect(line).toMatchObject({
    action: "registrations.exported",
    subject: "default",
    change: null,
    actor: { kind: "api-key" },
  });
});

test("a caller who asks for tokens gets them, and the audit says so", async () => {
  const tokens = [await register(), await register()].toReversed();
  const [first, ...lines] = await linesOf(await ask("?tokens=true"));
  expect(first).toBe(`token,${headings}`);
  const shown = tokens.map((token) => (token.startsWith("-") ? `'${token}` : token));
  expect(lines.map((line) => line.split(",")[0])).toEqual(shown);
  const [line] = await bench.store.audit.list([bench.project.id], { limit: 1 });
  expect([line?.action, line?.change]).toEqual(["registrations.exported", { withTokens: true }]);
});

test("it is in the words and the time zone that its reader asks for", async () => {
  await bench.store.topics.add(bench.project.id, { name: "cake", policy: "open" }, 1);
  const bread = { name: "bread", displayName: "Pão do dia", policy: "open" } as const;
  await bench.store.topics.add(bench.project.id, bread, 1);
  await register({ headers: firefox, more: { locale: "pt-BR", topics: ["cake", "bread"] } });
  const query = "?words=pt-BR&separator=semicolon&timeZone=America/Sao_Paulo";
  const response = await ask(query);
  expect(response.headers.get("Content-Disposition")).toBe(
    'attachment; filename="sineta-inscritos-default-1969-12-31.csv"',
  );
  const zone = "(America/Sao_Paulo)";
  const at = "1969-12-31 21:00:01";
  expect(await linesOf(response)).toEqual([
    `Registrado ${zone};Situação;Site;Navegador;Sistema;Idioma;Fuso horário;Serviço de push;Usuário do site;Tópicos;Confirmado ${zone};Terminou ${zone}`,
    `${at};Alcançável;https://site.example;Firefox;Linux;Português;;"Google (Chrome, Edge, Opera)";;cake | Pão do dia;${at};`,
  ]);
});

test("it has the registrations that pass the filter of the list", async () => {
  await bench.store.topics.add(bench.project.id, { name: "bread", policy: "open" }, 1);
  await register({ headers: firefox, more: { locale: "pt-BR" } });
  await register({ more: { locale: "de", topics: ["bread"] } });
  const found = async (query: string) => (await linesOf(await ask(query))).length - 1;
  expect(await found("?browser=firefox")).toBe(1);
  // What a column's language is has nothing to do with the language of its words.
  expect(await found("?language=pt&words=en")).toBe(1);
  expect(await found("?topic=bread&state=live")).toBe(1);
  expect(await found("?state=gone")).toBe(0);
  const [line] = await bench.store.audit.list([bench.project.id], { limit: 1 });
  expect(line?.change).toEqual({ filtered: true });
  await expectProblem(await ask("?topic=cake"), "topic-unknown");
  await expectProblem(await ask("?state=asleep"), "body-invalid");
});

test("many are exported each once, page by page", async () => {
  const tokens: string[] = [];
  for (let count = 0; count < 5; count += 1) tokens.unshift(await register());
  const asked: unknown[] = [];
  const list = bench.store.audience.listDetailed.bind(bench.store.audience);
  bench.store.audience.listDetailed = async (project, filter, { limit, keys, beforeId }) => {
    asked.push([limit, keys]);
    return list(project, filter, { limit: 2, keys: 2, beforeId });
  };
  const [, ...lines] = await linesOf(await ask("?tokens=true"));
  expect(lines.map((line) => line.split(",")[0]?.replace(/^'/, ""))).toEqual(tokens);
  expect(asked.slice(0, 2)).toEqual([
    [1_000, 1_000],
    [1_000, 1_000],
  ]);
  // A page without any that passes the filter is not the end.
  expect(await linesOf(await ask("?state=gone"))).toEqual([headings]);
});
