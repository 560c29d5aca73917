import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  messageExceptionsSchema,
  messageListSchema,
  publishedSchema,
  receiptsOverTimeSchema,
} from "@sineta/protocol";
import {
  accepted,
  gone,
  mustLease,
  planOn,
  refused,
  retry,
  writePage,
  type Came,
} from "../store/contract/delivering.ts";

import { appBench, expectProblem, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

let bench: AppBench;
let key: string;
beforeEach(async () => {
  bench = await appBench();
  key = await bench.key();
});
afterEach(() => bench.close());

async function publish(over: object = {}): Promise<string> {
  const body = { target: { kind: "all" }, notification: { title: "Olá" }, ...over };
  const response = await bench.ask("messages", key, body);
  return publishedSchema.parse(await response.json()).id;
}

const registerOne = async () => tokenOf(await bench.post(testBrowser()));

/** Registers so many, publishes, and delivers to them what is given for each. */
async function deliver(outcomes: Came[]): Promise<{ id: string; tokens: string[] }> {
  const tokens: string[] = [];
  for (const _ of outcomes) tokens.push(await registerOne());
  const id = await publish();
  await bench.store.delivery.startSending(id, 1_000);
  const own = { store: bench.store, projectId: bench.project.id };
  await planOn(own, id, { keys: 1_000, dueAt: () => 1_000 });
  const batch = await mustLease(bench.store, 1_000, { messageId: id });
  await writePage(bench.store, batch, { walked: outcomes }, 2_000);
  return { id, tokens };
}

describe("the list", () => {
  const titles = async (query: string) => {
    const response = await bench.ask(`messages?${query}`, key);
    return messageListSchema.parse(await response.json()).messages.map(({ title }) => title);
  };

  test("is searched and filtered", async () => {
    await publish({ notification: { title: "Pão", body: "quentinho" } });
    const bread = await publish({ notification: { title: "Pães de queijo" } });
    await publish({ target: { kind: "user", userId: "baker" } });
    await bench.ask(`messages/${bread}/cancel`, key, "");
    expect(await titles("search=QUENTINHO%20pao")).toEqual(["Pão"]);
    expect(await titles("state=cancelled")).toEqual(["Pães de queijo"]);
    expect(await titles("target=user")).toEqual(["Olá"]);
    const second = "1970-01-01T00:00:01Z";
    expect(await titles(`from=${second}`)).toHaveLength(3);
    expect(await titles(`to=${second}`)).toEqual([]);
    expect(await titles("from=1970-01-01T00:00:01.001-03:00")).toEqual([]);
  });

  test("has when one goes out by the reader's clock", async () => {
    await publish({ scheduleAtLocal: "1970-01-02T09:00" });
    const response = await bench.ask("messages", key);
    expect(await response.json()).toMatchObject({
      messages: [{ scheduleAtLocal: "1970-01-02T09:00" }],
    });
  });

  test.for([
    ["search=", "search"],
    [`search=${"x".repeat(201)}`, "search"],
    ["state=lost", "state"],
    ["target=planet", "target"],
    ["from=2026-01-01", "from"],
    ["to=yesterday", "to"],
  ] as const)("%s is refused", async ([query, path]) => {
    for (const list of ["messages", "messages/export"]) {
      const response = await bench.ask(`${list}?${query}`, key);
      const { fields } = await expectProblem(response, "body-invalid");
      expect(fields?.map((field) => field.path)).toEqual([path]);
    }
  });
});

describe("exceptions", () => {
  const page = async (id: string, query = "") => {
    const response = await bench.ask(`messages/${id}/exceptions${query}`, key);
    return messageExceptionsSchema.parse(await response.json());
  };

  test("are told by token, with why; never an endpoint", async () => {
    const outcomes = [accepted(1), gone(2), retry(3, 60_000), refused(4)];
    const { id, tokens } = await deliver(outcomes);
    const common = { pushService: "fcm", attempts: 1, changedAt: "1970-01-01T00:00:02.000Z" };
    const all = await page(id);
    expect(all).toEqual({
      exceptions: [
        { ...common, token: tokens[1], outcome: "gone", reason: "gone", detail: "" },
        {
          ...common,
          token: tokens[2],
          outcome: "retry",
          reason: "busy",
          detail: "429",
          retryAt: "1970-01-01T00:01:00.000Z",
        },
        { ...common, token: tokens[3], outcome: "rejected", reason: "too-large", detail: "" },
      ],
    });
    expect(JSON.stringify(all)).not.toContain("https:");
  });

  test("have no token once their registration was removed, in the export neither", async () => {
    const { id, tokens } = await deliver([refused(1), refused(2)]);
    await bench.store.registrations.leave(1, 3_000);
    await bench.store.retention.removeEnded(4_000, 9);
    const { exceptions } = await page(id);
    expect(exceptions.map(({ token, outcome }) => [token, outcome])).toEqual([
      [undefined, "rejected"],
      [tokens[1], "rejected"],
    ]);
    const exported = await (await bench.ask(`messages/${id}/export?tokens=true`, key)).text();
    const rows = exported.trimEnd().split("\r\n").slice(1);
    // A token that begins with a dash has an apostrophe before it.
    expect(rows.map((row) => row.split(",")[0]?.replace(/^'/, ""))).toEqual(["", tokens[1]]);
  });

  test("come page by page, of one outcome and reason", async () => {
    const { id, tokens } = await deliver([refused(1), gone(2), refused(3), refused(4)]);
    const query = "?outcome=rejected&reason=too-large&limit=2";
    const first = await page(id, query);
    expect(first.exceptions.map(({ token }) => token)).toEqual([tokens[0], tokens[2]]);
    const second = await page(id, `${query}&after=${first.next}`);
    expect(second.exceptions.map(({ token }) => token)).toEqual([tokens[3]]);
    expect(second.next).toBeUndefined();
  });

  test.for([
    ["?outcome=accepted", "outcome"],
    ["?limit=501", "limit"],
    ["?after=-1", "after"],
  ] as const)("%s is refused", async ([query, path]) => {
    const response = await bench.ask(`messages/${await publish()}/exceptions${query}`, key);
    const { fields } = await expectProblem(response, "body-invalid");
    expect(fields?.map((field) => field.path)).toEqual([path]);
  });
});

test("what was accepted and reported is told hour by hour", async () => {
  const { id, tokens } = await deliver([accepted(1), accepted(2)]);
  const projectId = bench.project.id;
  const receipt = { projectId, messageId: id, token: tokens[0] ?? "", action: null };
  await bench.store.receipts.add({ ...receipt, event: "displayed" }, 3_000);
  await bench.store.receipts.add({ ...receipt, event: "clicked" }, 7_200_000);
  const response = await bench.ask(`messages/${id}/receipts-over-time`, key);
  expect(receiptsOverTimeSchema.parse(await response.json())).toEqual({
    hours: [
      { at: "1970-01-01T00:00:00.000Z", accepted: 2, displayed: 1, clicked: 0, closed: 0 },
      { at: "1970-01-01T02:00:00.000Z", accepted: 0, displayed: 0, clicked: 1, closed: 0 },
    ],
  });
});

describe("an export", () => {
  const lines = async (response: Response) => {
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    const bytes = Buffer.from(await response.arrayBuffer());
    // The mark by which a spreadsheet knows that it is UTF-8.
    expect(bytes.subarray(0, 3).toString("hex")).toBe("efbbbf");
    const rows = bytes.subarray(3).toString().split("\r\n");
    expect(rows.pop()).toBe("");
    return rows;
  };
  const audited = async () => {
    const [line] = await bench.store.audit.list([bench.project.id], { limit: 1 });
    return [line?.action, line?.subject, line?.change];
  };

  test("of one message has who did not simply accept it", async () => {
    const hostile = { ...refused(3), detail: '=cmd|"/c calc",1' };
    const { id, tokens } = await deliver([accepted(1), gone(2), hostile, retry(4, 60_000)]);
    const response = await bench.ask(`messages/${id}/export?tokens=true`, key);
    expect(response.headers.get("Content-Disposition")).toBe(
      `attachment; filename="sineta-exceptions-${id}.csv"`,
    );
    const text = (token = "") => (token.startsWith("-") ? `'${token}` : token);
    const at = "1970-01-01T00:00:02.000Z";
    expect(await lines(response)).toEqual([
      "token,push_service,outcome,reason,detail,attempts,changed_at,retry_at",
      `${text(tokens[1])},fcm,gone,gone,,1,${at},`,
      `${text(tokens[2])},fcm,rejected,too-large,"'=cmd|""/c calc"",1",1,${at},`,
      `${text(tokens[3])},fcm,retry,busy,429,1,${at},1970-01-01T00:01:00.000Z`,
    ]);
    expect(await audited()).toEqual([
      "message.exported",
      id,
      { table: "registrations", withTokens: true },
    ]);
    const without = await bench.ask(`messages/${id}/export`, key);
    expect(await lines(without)).toEqual([
      "push_service,outcome,reason,detail,attempts,changed_at,retry_at",
      `fcm,gone,gone,,1,${at},`,
      `fcm,rejected,too-large,"'=cmd|""/c calc"",1",1,${at},`,
      `fcm,retry,busy,429,1,${at},1970-01-01T00:01:00.000Z`,
    ]);
    expect(await audited()).toEqual(["message.exported", id, { table: "registrations" }]);
  });

  test("of one message has its figures, by push service and together", async () => {
    const { id, tokens } = await deliver([accepted(1), accepted(2), gone(3)]);
    const receipt = { projectId: bench.project.id, messageId: id, action: null };
    const token = tokens[0] ?? "";
    await bench.store.receipts.add({ ...receipt, token, event: "displayed" }, 3_000);
    const response = await bench.ask(`messages/${id}/export?table=figures&tokens=true`, key);
    expect(await lines(response)).toEqual([
      "push_service,registrations,accepted,retry,gone,rejected,failed,unsent,displayed,clicked,closed",
      "fcm,3,2,0,1,0,0,0,,,",
      "all,3,2,0,1,0,0,0,1,0,0",
    ]);
    // Figures have none.
    expect(await audited()).toEqual(["message.exported", id, { table: "figures" }]);
  });

  test("of many exceptions has each once, piece by piece", async () => {
    const { id } = await deliver([gone(1)]);
    const tokens: string[] = [];
    for (let count = 0; count < 2_300; count += 1) tokens.push(`token-${count}`);
    const exceptions = tokens.map((token, index) => ({
      token,
      pushOrigin: "https://push.example",
      kind: "gone" as const,
      reason: "gone",
      detail: "",
      attempts: 1,
      dueAtMs: null,
      changedAtMs: 0,
      registrationId: index + 1,
    }));
    const asked: number[] = [];
    bench.store.messages.exceptions = async (_, { afterId, limit }) => {
      asked.push(afterId);
      const page = exceptions.slice(afterId, afterId + limit);
      const last = page.at(-1)?.registrationId ?? 0;
      return { exceptions: page, nextAfterId: last < exceptions.length ? last : null };
    };
    const rows = await lines(await bench.ask(`messages/${id}/export?tokens=true`, key));
    expect(rows.slice(1).map((row) => row.split(",")[0])).toEqual(tokens);
    expect(asked).toEqual([0, 1_000, 2_000]);
  });

  test("of the list has those that pass the filter, newest first, however many", async () => {
    await publish({ notification: { title: "not this one" } });
    const ids: string[] = [];
    for (let count = 0; count < 205; count += 1) {
      ids.unshift(await publish({ notification: { title: "=Pão, quente", body: "a\nb" } }));
    }
    const response = await bench.ask("messages/export?search=pao", key);
    expect(response.headers.get("Content-Disposition")).toBe(
      'attachment; filename="sineta-messages-default-1970-01-01.csv"',
    );
    const rows = await lines(response);
    expect(rows[0]).toBe(
      "id,title,body,link,state,target,target_detail,urgency,ttl_seconds,published_by,publisher,created_at,schedule_at,local_time," +
        "started_at,ended_at,registrations,accepted,retry,gone,rejected,failed,unsent,displayed,clicked,closed,replaces,replaced_by",
    );
    const at = "1970-01-01T00:00:01.000Z";
    expect(rows.slice(1)).toEqual(
      ids.map(
        (id) =>
          `${id},"'=Pão, quente","a\nb",,sending,all,,normal,2419200,api-key,test,${at},${at},,,,0,0,0,0,0,0,0,0,0,0,,`,
      ),
    );
    expect(await audited()).toEqual(["messages.exported", "default", { filtered: true }]);
  });

  test("is separated by semicolons for whoever asks so, and by nothing else", async () => {
    await publish({ notification: { title: "Pão, quente; já" } });
    const { id } = await deliver([gone(1)]);
    const [names, first] = await lines(
      await bench.ask("messages/export?separator=semicolon&search=pao", key),
    );
    expect(names).toMatch(/^id;title;body;link;state;/);
    expect(first).toContain(';"Pão, quente; já";;;sending;all;');
    for (const [table, heading] of [
      ["registrations", /^push_service;outcome;/],
      ["figures", /^push_service;registrations;/],
    ] as const) {
      const path = `messages/${id}/export?table=${table}&separator`;
      const rows = await lines(await bench.ask(`${path}=semicolon`, key));
      expect(rows[0]).toMatch(heading);
      expect(await lines(await bench.ask(`${path}=comma`, key))).toEqual(
        rows.map((row) => row.replaceAll(";", ",")),
      );
      await expectProblem(await bench.ask(`${path}=pipe`, key), "body-invalid");
    }
    await expectProblem(await bench.ask("messages/export?separator=%3B", key), "body-invalid");
  });

  test("is in the words and the time zone that its reader asks for", async () => {
    const { id } = await deliver([gone(1), retry(2, 60_000)]);
    const people = "words=pt-BR&separator=semicolon&timeZone=America/Sao_Paulo";
    const exceptions = await bench.ask(`messages/${id}/export?${people}`, key);
    expect(exceptions.headers.get("Content-Disposition")).toBe(
      `attachment; filename="sineta-aviso-quem-nao-recebeu-${id}.csv"`,
    );
    const zone = "(America/Sao_Paulo)";
    const google = '"Google (Chrome, Edge, Opera)"';
    expect(await lines(exceptions)).toEqual([
      `Serviço de push;O que aconteceu;Motivo;Detalhe;Tentativas;Última mudança ${zone};Próxima tentativa ${zone}`,
      `${google};Inscrição encerrada;O navegador não recebe mais;;1;1969-12-31 21:00:02;`,
      `${google};Vai ser tentado de novo;busy;429;1;1969-12-31 21:00:02;1969-12-31 21:01:00`,
    ]);
    const figures = await bench.ask(`messages/${id}/export?table=figures&${people}`, key);
    expect(await lines(figures)).toEqual([
      "Serviço de push;Navegadores;Aceitos;Tentar de novo;Encerrados;Recusados;Não enviados;Pendentes;Exibidos;Clicados;Fechados",
      `${google};2;0;1;1;0;0;0;;;`,
      "Todos;2;0;1;1;0;0;0;0;0;0",
    ]);
  });

  test("of the list has words, and what has replaced what", async () => {
    const scheduleAtLocal = "1970-01-02T09:00";
    const bread = { name: "bread", displayName: "Pão do dia", policy: "open" } as const;
    await bench.store.topics.add(bench.project.id, bread, 1);
    const target = { kind: "topic", topic: "bread" };
    const notification = { title: "Olá", link: "/ofertas" };
    const first = await publish({ scheduleAtLocal, target, urgency: "high", notification });
    const second = await publish({ scheduleAtLocal, replaces: first });
    const table = async (query: string) => {
      const [headings = "", ...rows] = await lines(await bench.ask(`messages/export${query}`, key));
      const names = headings.split(",");
      return rows.map((row) => new Map(row.split(",").map((cell, at) => [names[at], cell])));
    };
    const chosen = (rows: Awaited<ReturnType<typeof table>>, names: string[]) =>
      rows.map((row) => names.map((name) => row.get(name)));
    const codes = await table("");
    expect(
      chosen(codes, ["id", "state", "target", "urgency", "local_time", "replaces", "replaced_by"]),
    ).toEqual([
      [second, "scheduled", "all", "normal", scheduleAtLocal, first, ""],
      [first, "cancelled", "topic", "high", scheduleAtLocal, "", second],
    ]);
    expect(chosen(codes, ["link", "target_detail"])).toEqual([
      ["", ""],
      ["/ofertas", "bread"],
    ]);
    const words = await table("?words=en&timeZone=UTC");
    const local = "At each person’s local time";
    expect(
      chosen(words, ["State", "For whom", "Audience detail", "Urgency", "Published with"]),
    ).toEqual([
      ["Scheduled", "The whole audience", "", "Normal", "API key"],
      ["Replaced", "A topic", "Pão do dia", "High", "API key"],
    ]);
    expect(chosen(words, [local, "Replaces (ID)", "Created (UTC)"])).toEqual([
      ["1970-01-02 09:00:00", first, "1970-01-01 00:00:01"],
      ["1970-01-02 09:00:00", "", "1970-01-01 00:00:01"],
    ]);
  });

  test("of the list has no token: of messages to browsers it says to how many", async () => {
    const tokens = [await registerOne(), await registerOne()];
    await publish({ target: { kind: "token", token: tokens[0] } });
    await publish({ target: { kind: "tokens", tokens } });
    const rows = await lines(await bench.ask("messages/export", key));
    expect(rows.slice(1).map((row) => row.split(",").slice(5, 7))).toEqual([
      ["tokens", "2"],
      ["token", "1"],
    ]);
    expect(rows.join()).not.toMatch(new RegExp(tokens.join("|")));
  });

  test.for([
    ["words=pt", "words"],
    ["timeZone=%2B03:00", "timeZone"],
    ["timeZone=Nowhere/Town", "timeZone"],
    ["tokens=yes", "tokens"],
  ] as const)("with %s is refused", async ([query, path]) => {
    const response = await bench.ask(`messages/${await publish()}/export?${query}`, key);
    const { fields } = await expectProblem(response, "body-invalid");
    expect(fields?.map((field) => field.path)).toEqual([path]);
  });

  test("ends when whoever asked may not any more, and does not look whole", async () => {
    const { id } = await deliver([gone(1)]);
    const owner = await bench.operator("viewer");
    const response = await bench.app.request(`/v1/projects/default/messages/${id}/export`, {
      headers: owner.headers,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    await bench.app.request("/v1/session", { method: "DELETE", headers: owner.headers });
    const rest = async () => {
      for (;;) if ((await reader?.read())?.done !== false) return "whole";
    };
    await expect(rest()).rejects.toMatchObject({ code: "session-ended" });
  });
});

test.for(["exceptions", "receipts-over-time", "export", "export?table=figures"])(
  "%s of what the project does not have is not found",
  async (what) => {
    const id = await publish();
    const headers = { Authorization: `Bearer ${await bench.otherKey()}` };
    const theirs = await bench.app.request(`/v1/projects/second/messages/${id}/${what}`, {
      headers,
    });
    await expectProblem(theirs, "message-not-found");
    const nothing = await bench.ask(`messages/nothing/${what}`, key);
    expect((await expectProblem(nothing, "message-not-found")).status).toBe(404);
  },
);
