import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setUp } from "../store/contract/bench.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { makeData } from "../test/make-data.ts";
import { testPlaces } from "../test/places.ts";
import { runCommand } from "../test/run-command.ts";

let bench: ReturnType<typeof testPlaces>;
beforeEach(async () => {
  bench = testPlaces();
  await makeData(bench.dataFolder);
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

const sineta = (...words: string[]) => runCommand(words, bench);

const table = (
  receipts: string,
  registrations: string,
  messages: string,
  name = "",
  origins = "none",
) =>
  "NAME                     VALUE\n" +
  `display-name             ${name}`.trimEnd() +
  "\n" +
  `origins                  ${origins}\n` +
  `receipts                 ${receipts}\n` +
  `registrations-quota      ${registrations}\n` +
  `messages-per-hour-quota  ${messages}\n`;

test("shows the settings and changes one at a time; the audit says who", async () => {
  expect(await sineta("settings")).toEqual({
    status: 0,
    out: table("on", "2000000", "1000"),
    err: "",
  });
  expect((await sineta("settings", "receipts", "off")).out).toBe(table("off", "2000000", "1000"));
  await sineta("settings", "registrations-quota", "0");
  await sineta("settings", "messages-per-hour-quota", "100000");
  await sineta("settings", "display-name", "Padaria");
  expect((await sineta("settings")).out).toBe(table("off", "0", "100000", "Padaria"));
  const store = await openSqliteStore(join(bench.dataFolder, "sineta.db"), 0);
  const { id } = await store.projects.ensure("default", 0);
  const lines = await store.audit.list([id], { limit: 9 });
  await store.close();
  expect(lines.filter(({ action }) => action === "settings.changed")).toMatchObject([
    { change: { displayName: "Padaria", before: { displayName: "" } } },
    { change: { messagesPerHourQuota: 100_000, before: { messagesPerHourQuota: 1000 } } },
    { change: { registrationsQuota: 0 } },
    { actor: { kind: "command-line" }, address: null, change: { receipts: false } },
  ]);
});

test("origins: named, shown, taken away with how many live there; SINETA_ORIGINS rules where it is set", async () => {
  const two = "https://loja.example,http://localhost:5173";
  const named = table("on", "2000000", "1000", "", two);
  const given = "https://Loja.example/, http://localhost:5173";
  expect((await sineta("settings", "origins", given)).out).toBe(named);
  const open = () => openSqliteStore(join(bench.dataFolder, "sineta.db"), 0);
  const data = await setUp({ open, remove: async () => undefined });
  await data.add({ origin: "https://loja.example" });
  await data.add({ origin: "https://loja.example" });
  await data.store.close();
  const { out } = await sineta("settings", "origins", "none");
  expect(out).toBe(
    `${table("on", "2000000", "1000")}Pages of https://loja.example can register no more. Its 2 live registrations stay, and go on receiving messages.\n`,
  );
  const ruled = ["--origins", "https://b.example"];
  expect((await sineta("settings", ...ruled)).out).toBe(
    table("on", "2000000", "1000", "", "https://b.example"),
  );
  expect(await sineta("settings", "origins", two, ...ruled)).toEqual({
    status: 1,
    out: "",
    err: "sineta: The origins are set by SINETA_ORIGINS (https://b.example): change that where the server is started, or leave it out there.\n",
  });
});

test.for([
  [
    ["settings", "origins", "https://*.example"],
    "expected exact origins such as https://example.com",
  ],
  [["settings", "topics"], 'There is no setting "topics"'],
  [["settings", "constructor", "1"], 'There is no setting "constructor"'],
  [
    ["settings", "display-name", "a\nb"],
    "expected empty, or one line of 1 to 100 characters, at least one of them visible",
  ],
  [["settings", "display-name", "a\u202eb"], "without control characters or direction marks"],
  [
    ["settings", "display-name", "\u3164"],
    "expected empty, or one line of 1 to 100 characters, at least one of them visible",
  ],
  [["settings", "receipts"], "sineta settings receipts needs a value: expected on or off"],
  [["settings", "receipts", "yes"], 'receipts cannot be "yes": expected on or off'],
  [["settings", "registrations-quota", "1e3"], "expected a number from 0 to 100000000"],
  [["settings", "messages-per-hour-quota", "100001"], "expected a number from 0 to 100000"],
  [["settings", "receipts", "on", "off"], "There is a word too many"],
] as const)("%j is wrong usage", async ([words, sentence]) => {
  const { status, err } = await sineta(...words);
  expect(status).toBe(2);
  expect(err).toContain(sentence);
  expect((await sineta("settings")).out).toBe(table("on", "2000000", "1000"));
});

test("what is more than the quota is not sent, and the command says for how long", async () => {
  await sineta("settings", "messages-per-hour-quota", "0");
  const { status, err } = await sineta("send", "--title", "Olá", "--body", "Pão", "--no-wait");
  expect({ status, err }).toEqual({
    status: 1,
    err: "sineta: The project has published as many messages within an hour as its quota allows: wait 60 min, or raise it with sineta settings messages-per-hour-quota.\n",
  });
});
