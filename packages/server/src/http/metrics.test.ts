import { afterEach, beforeEach, expect, test } from "vitest";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const ask = (key?: string) =>
  bench.app.request("/metrics", {
    headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
  });

test("whoever holds a key of the first project may read the metrics, nobody else", async () => {
  const missing = await ask();
  await expectProblem(missing, "api-key-missing");
  expect(missing.headers.get("WWW-Authenticate")).toBe("Bearer");
  await expectProblem(await ask("sineta_wrong"), "api-key-invalid");
  await expectProblem(await ask(await bench.otherKey()), "api-key-invalid");
  const response = await ask(await bench.key());
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(await response.text()).toMatch(/^sineta_messages\{state="done"\} 0$/m);
});

test("in development no key is asked for at Sineta's own host, nor at this machine's names", async () => {
  const open = await appBench({ openMetrics: true });
  const at = (host: string) => open.app.request(`http://${host}/metrics`);
  for (const host of ["site.example", "localhost", "localhost:9000", "127.0.0.1:8080", "[::1]"]) {
    expect((await at(host)).status).toBe(200);
  }
  // A stranger's page has such a name, and lets it lead to this machine.
  for (const host of ["evil.example", "site.example:81", "localhost.evil.example"]) {
    await expectProblem(await at(host), "api-key-missing");
  }
  const headers = { Authorization: `Bearer ${await open.key()}` };
  const response = await open.app.request("http://evil.example/metrics", { headers });
  expect(response.status).toBe(200);
  await open.close();
});
