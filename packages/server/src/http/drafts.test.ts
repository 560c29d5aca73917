import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  draftListSchema,
  draftSchema,
  draftSummarySchema,
  limits,
  messageListSchema,
  problemSchema,
  publishedSchema,
} from "@sineta/protocol";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
let headers: Record<string, string>;
beforeAll(async () => {
  bench = await appBench();
  ({ headers } = await bench.operator("editor"));
});
afterAll(() => bench.close());

const path = "/v1/projects/default/drafts";
const put = (id: string, body: unknown) =>
  bench.app.request(`${path}/${id}`, {
    method: "PUT",
    headers: { ...headers, "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const ask = (id = "", method = "GET") =>
  bench.app.request(id === "" ? path : `${path}/${id}`, { method, headers });

test("a draft is listed by the first 200 characters of its title, none of them cut", async () => {
  const id = randomUUID();
  const made = await put(id, { revision: 0, content: { title: "🔔".repeat(201) } });
  expect(draftSummarySchema.parse(await made.json()).title).toBe("🔔".repeat(200));
  await ask(id, "DELETE");
});

test("a draft is listed without the control characters and half emoji of its title", async () => {
  const id = randomUUID();
  const content = { title: "\ud83d\u0000Pão\r\nquente 🔔\ud83d" };
  const made = draftSummarySchema.parse(await (await put(id, { revision: 0, content })).json());
  expect(made.title).toBe("Pão quente 🔔");
  await ask(id, "DELETE");
});

test("a draft with a number that would be kept as another one is refused", async () => {
  const id = randomUUID();
  const save = (number: string) =>
    put(id, `{"revision":0,"content":{"title":"x","data":{"a":[1,${number}]}}}`);
  const { fields } = await expectProblem(await save("12345678901234567890"), "body-invalid");
  expect(fields).toEqual([
    {
      path: "content.data.a.1",
      message: "JavaScript reads 12345678901234567890 as 12345678901234567000: send it as a string",
    },
  ]);
  await expectProblem(await ask(id), "draft-unknown");
  expect((await save("0.10000000000000001")).status).toBe(200);
  await ask(id, "DELETE");
});

test("a draft is made, changed, read, listed and removed", async () => {
  const id = randomUUID();
  const content = { title: "  Pão quente ", body: "x".repeat(5_000), odd: [null, { a: 1 }] };
  const made = draftSummarySchema.parse(await (await put(id, { revision: 0, content })).json());
  expect(made).toMatchObject({ id, revision: 1, title: "Pão quente", changedBy: "editor" });
  await put(id, { revision: 1, content: { ...content, title: 7 } });
  const read = draftSchema.parse(await (await ask(id)).json());
  expect(read).toMatchObject({ revision: 2, title: "", content: { ...content, title: 7 } });
  const { drafts } = draftListSchema.parse(await (await ask()).json());
  expect(drafts).toEqual([{ ...made, revision: 2, title: "" }]);
  expect((await ask(id, "DELETE")).status).toBe(204);
  await expectProblem(await ask(id, "DELETE"), "draft-unknown");
  await expectProblem(await ask(id), "draft-unknown");
});

test("a draft that changes a scheduled message names that message in the list", async () => {
  const replaces = "0199c0de-0000-7000-8000-000000000001";
  const [change, odd] = [randomUUID(), randomUUID()];
  await put(change, { revision: 0, content: { replaces } });
  await put(odd, { revision: 0, content: { replaces: "x" } });
  const { drafts } = draftListSchema.parse(await (await ask()).json());
  expect(new Map(drafts.map((draft) => [draft.id, draft.replaces]))).toEqual(
    new Map([
      [change, replaces],
      [odd, undefined],
    ]),
  );
});

test("of two tabs the second is told that the draft has changed", async () => {
  const id = randomUUID();
  await put(id, { revision: 0, content: { title: "first" } });
  await put(id, { revision: 1, content: { title: "second" } });
  await expectProblem(await put(id, { revision: 1, content: { title: "lost" } }), "draft-changed");
  await expectProblem(await put(id, { revision: 0, content: { title: "lost" } }), "draft-changed");
  expect(await (await ask(id)).json()).toMatchObject({ content: { title: "second" } });
});

test("what is published is no draft any more, is published once, and comes back by no save", async () => {
  const id = randomUUID();
  const florist = await bench.operator("editor");
  const publish = (more: object, as = headers) =>
    bench.app.request(`${path}/${id}/publish`, {
      method: "POST",
      headers: { ...as, "Content-Type": "application/json" },
      body: JSON.stringify({ target: { kind: "all" }, notification: { title: "Pão" }, ...more }),
    });
  await put(id, { revision: 0, content: { title: "Pão" } });
  await expectProblem(await publish({ dryRun: true }), "body-invalid");
  expect((await ask(id)).status).toBe(200);

  const first = await publish({});
  expect(first.status).toBe(202);
  const { id: messageId } = publishedSchema.parse(await first.json());
  const { drafts } = draftListSchema.parse(await (await ask()).json());
  expect(drafts.map((draft) => draft.id)).not.toContain(id);
  const again = await publish({}, florist.headers);
  expect(again.status).toBe(200);
  expect(await again.json()).toMatchObject({ id: messageId });
  const content = { title: "Bolo" };
  for (const refused of [
    await publish({ notification: { title: "Bolo" } }),
    await publish({ notification: { title: "Bolo" } }, florist.headers),
    await put(id, { revision: 0, content }),
    await put(id, { revision: 1, content }),
    await ask(id),
  ]) {
    expect(problemSchema.parse(await refused.clone().json())).toMatchObject({ messageId });
    await expectProblem(refused, "draft-published");
  }
  expect((await publish({})).status).toBe(200);
  const messages = await bench.app.request("/v1/projects/default/messages", { headers });
  expect(messageListSchema.parse(await messages.json()).messages).toHaveLength(1);
});

test("what is too large, nests too deep or has no shape of a draft is refused", async () => {
  const id = randomUUID();
  const large = { title: "x".repeat(limits.draftBodyBytes) };
  await expectProblem(await put(id, { revision: 0, content: large }), "body-too-large");
  let deep: object = {};
  for (let level = 0; level < 20; level += 1) deep = { deep };
  await expectProblem(await put(id, { revision: 0, content: deep }), "body-invalid");
  await expectProblem(await put(id, { revision: -1, content: {} }), "body-invalid");
  await expectProblem(await put("none", { revision: 0, content: {} }), "body-invalid");
  expect((await put(id, { revision: 0, content: {} })).status).toBe(200);
});

test("a project has so many drafts and no more", async () => {
  const own = await appBench();
  const editor = await own.operator("editor");
  const make = () =>
    own.app.request(`${path}/${randomUUID()}`, {
      method: "PUT",
      headers: { ...editor.headers, "Content-Type": "application/json" },
      body: JSON.stringify({ revision: 0, content: {} }),
    });
  for (let made = 0; made < limits.draftsPerProject; made += 1) {
    expect((await make()).status).toBe(200);
  }
  await expectProblem(await make(), "drafts-exhausted");
  await own.close();
});
