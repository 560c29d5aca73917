import { afterEach, beforeEach, expect, test } from "vitest";
import {
  apiKeyListSchema,
  madeApiKeySchema,
  operatorChangedSchema,
  revokedApiKeySchema,
} from "@sineta/protocol";
import { appBench, type AppBench } from "../test/app-bench.ts";

type Operator = Awaited<ReturnType<AppBench["operator"]>>;
let bench: AppBench;
let baker: Operator;
let florist: Operator;
beforeEach(async () => {
  bench = await appBench();
  baker = await bench.operator("owner", { email: "baker@site.example" });
  florist = await bench.operator("owner", { email: "florist@site.example" });
});
afterEach(() => bench.close());

const ask = async (as: Operator, method: string, path: string, body?: object) => {
  const response = await bench.app.request(`/v1/projects/default/${path}`, {
    method,
    headers: {
      ...as.headers,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return response.json();
};
const makeKey = async (as: Operator, name: string) =>
  madeApiKeySchema.parse(await ask(as, "POST", "api-keys", { name, scopes: ["send"] }));
const lastChange = async () =>
  (await bench.store.audit.list([bench.project.id], { limit: 1 }))[0]?.change;
const isGood = async (key: string) => (await bench.apiKeys.authenticate(key)) !== null;

test("an owner who is removed leaves keys behind: the answer and the audit name those that are good", async () => {
  const [shop, till] = [await makeKey(florist, "shop"), await makeKey(florist, "till")];
  await makeKey(baker, "baker's own");
  revokedApiKeySchema.parse(await ask(baker, "DELETE", `api-keys/${till.prefix}`));
  const answer = await ask(baker, "DELETE", `operators/${florist.id}`);
  expect(operatorChangedSchema.parse(answer)).toEqual({
    apiKeys: [{ prefix: shop.prefix, name: "shop", scopes: ["send"] }],
  });
  expect(await lastChange()).toEqual({ apiKeys: [shop.prefix] });
  // A program may live on it.
  expect(await isGood(shop.key)).toBe(true);
});

test("so does one who is no owner any more; one who becomes one leaves nothing", async () => {
  const { prefix } = await makeKey(florist, "shop");
  const role = (name: string) => ask(baker, "PUT", `operators/${florist.id}`, { role: name });
  expect(await role("owner")).toEqual({ apiKeys: [] });
  expect(await role("viewer")).toMatchObject({ apiKeys: [{ prefix }] });
  expect(await lastChange()).toEqual({ role: "viewer", before: "owner", apiKeys: [prefix] });
});

test("who rotates a key has made its successor: whoever made the old one has not seen it", async () => {
  const { prefix } = await makeKey(florist, "shop");
  await ask(baker, "POST", `api-keys/${prefix}/rotate`, { graceSeconds: 0 });
  const list = apiKeyListSchema.parse(await ask(baker, "GET", "api-keys"));
  expect(list.apiKeys).toHaveLength(2);
  const answer = await ask(baker, "DELETE", `operators/${florist.id}`);
  expect(operatorChangedSchema.parse(answer)).toEqual({ apiKeys: [] });
});
