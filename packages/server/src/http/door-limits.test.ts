import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { problemSchema } from "@sineta/protocol";
import { askFrom } from "../test/ask-from.ts";
import { appBench, operatorPassword, origin, type AppBench } from "../test/app-bench.ts";
import { invitationsPerMinute } from "./invitations.ts";
import { listen } from "./listen.ts";
import { logInsPerMinute } from "./session.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench({ trustedProxies: ["127.0.0.9"] });
});
afterEach(() => bench.close());

/** The HTTP interface on a socket. */
async function start() {
  const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
  listener.serve((request, bindings) => bench.app.fetch(request, bindings));
  onTestFinished(() => listener.close(0));
  return async (from: string, path: string, body: string, headers: Record<string, string> = {}) => {
    const answered = await askFrom(from, new URL(path, `http://127.0.0.1:${listener.port}`), {
      headers: { Origin: origin, "Content-Type": "application/json", ...headers },
      body,
    });
    const { code } =
      answered.status === 200 ? { code: "" } : problemSchema.parse(JSON.parse(answered.text));
    return { ...answered, code };
  };
}
/** How often it answers so, before it answers otherwise. */
async function countOf(code: string, ask: () => Promise<{ code: string }>): Promise<number> {
  for (let count = 0; count < 1_000; count += 1) if ((await ask()).code !== code) return count;
  return 1_000;
}

test("log-ins are counted by address before their body is read", async () => {
  const { email } = await bench.operator("owner");
  const ask = await start();
  const rubbish = () => ask("127.0.0.2", "/v1/session", "no JSON");
  expect(await countOf("json-malformed", rubbish)).toBe(logInsPerMinute);
  const refused = await rubbish();
  expect(refused).toMatchObject({ status: 429, code: "too-many-requests" });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  // Another address is not stopped, nor what somebody does who is logged in.
  const right = JSON.stringify({ email, password: operatorPassword });
  expect(await ask("127.0.0.3", "/v1/session", right)).toMatchObject({ status: 200 });
});

test("invitations are counted by address, looked at or accepted", async () => {
  const ask = await start();
  let asked = 0;
  const look = () => {
    asked += 1;
    return ask("127.0.0.2", `/v1/invitations/${asked % 2 === 0 ? "look" : "accept"}`, "no JSON");
  };
  expect(await countOf("json-malformed", look)).toBe(invitationsPerMinute);
  expect(await look()).toMatchObject({ status: 429, code: "too-many-requests" });
  const elsewhere = await ask("127.0.0.3", "/v1/invitations/look", '{"token":"x"}');
  expect(elsewhere.code).toBe("invitation-gone");
});

test("behind a proxy that is named each visitor is counted apart", async () => {
  const ask = await start();
  const through = (visitor: string) =>
    ask("127.0.0.9", "/v1/session", "no JSON", { "X-Forwarded-For": visitor });
  expect(await countOf("json-malformed", () => through("192.0.2.1"))).toBe(logInsPerMinute);
  expect((await through("192.0.2.1")).code).toBe("too-many-requests");
  expect((await through("192.0.2.2")).code).toBe("json-malformed");
});
