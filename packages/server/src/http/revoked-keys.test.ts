import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import {
  auditListSchema,
  madeApiKeySchema,
  messageListSchema,
  messageStatusSchema,
  publishedSchema,
  revokedApiKeySchema,
} from "@sineta/protocol";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";
import { listen } from "./listen.ts";

let bench: AppBench;
let owner: Record<string, string>;
beforeEach(async () => {
  bench = await appBench();
  ({ headers: owner } = await bench.operator("owner", { email: "baker@site.example" }));
});
afterEach(() => bench.close());

const ask = (path: string, method = "GET", body?: object) =>
  bench.app.request(`/v1/projects/default/${path}`, {
    method,
    headers: { ...owner, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const makeKey = async (name: string, path = "api-keys", body: object = { name }) =>
  madeApiKeySchema.parse(await (await ask(path, "POST", body)).json());
const later = { scheduleAt: "1970-01-02T00:00:00.000Z" };
const publish = async (key: string, title: string) => {
  const message = { target: { kind: "all" }, notification: { title }, ...later };
  const response = await bench.ask("messages", key, message);
  expect(response.status).toBe(202);
  return publishedSchema.parse(await response.json()).id;
};
const revoke = async (prefix: string, body?: object) => {
  const response = await ask(`api-keys/${prefix}`, "DELETE", body);
  expect(response.status).toBe(200);
  return revokedApiKeySchema.parse(await response.json()).messages;
};
const stateOf = async (id: string) =>
  messageStatusSchema.parse(await (await ask(`messages/${id}`)).json()).state;
const lines = async () =>
  auditListSchema
    .parse(await (await ask("audit?limit=100")).json())
    .lines.map(({ action, subject, change }) => ({ action, subject, change }));

test("messages tell by which key or by whom they were published", async () => {
  const { key, prefix } = await makeKey("shop");
  const byKey = await publish(key, "by a key");
  const unnamed = await makeKey("");
  await publish(unnamed.key, "by a key without a name");
  const message = { target: { kind: "all" }, notification: { title: "by an owner" }, ...later };
  expect((await ask("messages", "POST", message)).status).toBe(202);
  const { messages } = messageListSchema.parse(await (await ask("messages")).json());
  expect(messages.map(({ title, publisher }) => ({ title, publisher }))).toEqual([
    { title: "by an owner", publisher: { kind: "operator", name: "owner" } },
    { title: "by a key without a name", publisher: { kind: "api-key", name: unnamed.prefix } },
    { title: "by a key", publisher: { kind: "api-key", name: "shop" } },
  ]);
  await revoke(prefix);
  const status = messageStatusSchema.parse(await (await ask(`messages/${byKey}`)).json());
  expect(status.publisher).toEqual({ kind: "api-key", name: "shop" });
});

test("a key that is revoked gives up its messages: they are named, and go on", async () => {
  const [stolen, other] = [await makeKey("stolen"), await makeKey("other")];
  const first = await publish(stolen.key, "forged");
  await publish(other.key, "honest");
  expect(await revoke(stolen.prefix)).toEqual({
    count: 1,
    cancelled: false,
    first: [
      { id: first, title: "forged", state: "scheduled", scheduleAt: "1970-01-02T00:00:00.000Z" },
    ],
  });
  expect(await stateOf(first)).toBe("scheduled");
  const change = { messages: 1, messagesCancelled: false };
  expect((await lines())[0]).toEqual({ action: "api-key.revoked", subject: stolen.prefix, change });
});

test("with cancelMessages they end with it; so they do if that is said afterwards", async () => {
  const [stolen, other] = [await makeKey("stolen"), await makeKey("other")];
  const forged = [await publish(stolen.key, "one"), await publish(stolen.key, "two")];
  const honest = await publish(other.key, "honest");
  expect(await revoke(stolen.prefix, { cancelMessages: true })).toMatchObject({
    count: 2,
    cancelled: true,
  });
  for (const id of forged) expect(await stateOf(id)).toBe("cancelled");
  expect(await stateOf(honest)).toBe("scheduled");
  const told = await lines();
  expect(told.slice(0, 3)).toEqual([
    ...forged
      .toReversed()
      .map((subject) => ({ action: "message.cancelled", subject, change: null })),
    {
      action: "api-key.revoked",
      subject: stolen.prefix,
      change: { messages: 2, messagesCancelled: true },
    },
  ]);

  await revoke(other.prefix, { cancelMessages: false });
  expect(await stateOf(honest)).toBe("scheduled");
  await expectProblem(await ask(`api-keys/${other.prefix}`, "DELETE"), "api-key-not-found");
  expect(await revoke(other.prefix, { cancelMessages: true })).toMatchObject({ count: 1 });
  expect(await stateOf(honest)).toBe("cancelled");
});

test("a successor answers for what the key before it has published", async () => {
  const old = await makeKey("shop");
  const id = await publish(old.key, "scheduled before");
  const path = `api-keys/${old.prefix}/rotate`;
  const successor = await makeKey("", path, { graceSeconds: 0 });
  expect(await stateOf(id)).toBe("scheduled");
  const revoked = await revoke(successor.prefix, { cancelMessages: true });
  expect(revoked).toMatchObject({ count: 1, first: [{ id }] });
  expect(await stateOf(id)).toBe("cancelled");
});

test("what is asked for in another way is refused, and the key stays", async () => {
  const { key, prefix } = await makeKey("shop");
  await expectProblem(await ask(`api-keys/${prefix}`, "DELETE", { all: true }), "body-invalid");
  const plain = await bench.app.request(`/v1/projects/default/api-keys/${prefix}`, {
    method: "DELETE",
    headers: { ...owner, "Content-Type": "text/plain" },
    body: '{"cancelMessages":true}',
  });
  await expectProblem(plain, "content-type-unsupported");
  const silent = await bench.app.request(`/v1/projects/default/api-keys/${prefix}`, {
    method: "DELETE",
    headers: owner,
    body: new Blob(['{"cancelMessages":true}']),
  });
  await expectProblem(silent, "content-type-unsupported");
  expect(await publish(key, "still good")).toMatch(/./);
});

/** Publishes, or asks for something else, by a body that comes once `meanwhile` is over, which begins when the caller has been let in. */
async function askSlowly(
  headers: Record<string, string>,
  meanwhile: () => Promise<unknown>,
  [path, asked]: [path: string, asked: object] = [
    "messages",
    { target: { kind: "all" }, notification: { title: "late" }, ...later },
  ],
) {
  const read = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  // Nothing is asked of the stream before the guard has let the caller in.
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        read.resolve();
        await goOn.promise;
        controller.enqueue(Buffer.from(JSON.stringify(asked)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const response = bench.app.request(
    new Request(`https://site.example/v1/projects/default/${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body,
      duplex: "half",
    }),
  );
  await read.promise;
  await meanwhile();
  goOn.resolve();
  return response;
}
const published = async () =>
  messageListSchema.parse(await (await ask("messages")).json()).messages;

test("a message whose key is revoked while its body comes in is not published", async () => {
  const { key, prefix } = await makeKey("stolen");
  const response = await askSlowly({ Authorization: `Bearer ${key}` }, () =>
    revoke(prefix, { cancelMessages: true }),
  );
  await expectProblem(response, "api-key-invalid");
  expect(await published()).toEqual([]);
});

test("nor is that of an operator who is removed meanwhile, or made a viewer", async () => {
  for (const method of ["DELETE", "PUT"]) {
    const florist = await bench.operator("editor", { email: `${method}@site.example` });
    const role = method === "PUT" ? { role: "viewer" } : undefined;
    const response = await askSlowly(florist.headers, async () => {
      expect((await ask(`operators/${florist.id}`, method, role)).status).toBe(200);
    });
    await expectProblem(response, method === "DELETE" ? "session-ended" : "role-missing");
  }
  expect(await published()).toEqual([]);
  // Whoever still may is not kept from it.
  expect((await askSlowly(owner, async () => undefined)).status).toBe(202);
});

test("nor does an owner who is removed meanwhile make a key that nobody would be told of", async () => {
  const florist = await bench.operator("owner", { email: "florist@site.example" });
  const response = await askSlowly(
    florist.headers,
    async () => ask(`operators/${florist.id}`, "DELETE"),
    ["api-keys", { name: "kept" }],
  );
  await expectProblem(response, "session-ended");
  expect(await bench.store.apiKeys.list(bench.project.id)).toEqual([]);
});

test("a key is revoked without a body over a socket, too", async () => {
  const { prefix } = await makeKey("shop");
  const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
  listener.serve((request, bindings) => bench.app.fetch(request, bindings));
  onTestFinished(() => listener.close(0));
  const address = `http://127.0.0.1:${listener.port}/v1/projects/default/api-keys/${prefix}`;
  const response = await fetch(address, { method: "DELETE", headers: owner });
  expect(bench.logged.filter((x) => x.includes("request failed"))).toEqual([]);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ messages: { count: 0, cancelled: false, first: [] } });
});
