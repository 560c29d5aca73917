import { afterEach, beforeEach, expect, test } from "vitest";
import { appBench, expectProblem, origin, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const elsewhere = "http://192.0.2.1:8080";
const warnings = () =>
  bench.logged.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);

test("the log tells once that the console was asked for at another host, and how to mend that", async () => {
  for (const path of ["/painel/entrar", "/painel", "/healthz", "/"]) {
    await bench.app.request(`${origin}${path}`);
  }
  await bench.app.request(`${elsewhere}/`);
  expect(warnings()).toEqual([]);
  await bench.app.request(`${elsewhere}/painel/entrar`);
  await bench.app.request(`${elsewhere}/painel/entrar`);
  await bench.app.request("http://evil.example/painel");
  expect(warnings()).toEqual([
    expect.objectContaining({
      host: "192.0.2.1:8080",
      own: [origin],
      msg: expect.stringMatching(/open it at Sineta's own address, or set SINETA_PUBLIC_URL/),
    }),
  ]);
});

test("what is changed there is refused, with the address that Sineta takes for its own", async () => {
  const logIn = (address: string, from: string) =>
    bench.app.request(`${address}/v1/session`, {
      method: "POST",
      headers: {
        Origin: from,
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ email: "a@site.example", password: "x" }),
    });
  const problem = await expectProblem(await logIn(elsewhere, elsewhere), "cross-site-refused");
  expect(problem.fields).toEqual([
    {
      path: "Origin",
      message:
        `the console was opened at ${elsewhere}, but Sineta takes ${origin} for its own address: ` +
        "open it there, or set SINETA_PUBLIC_URL to the address that operators use",
    },
  ]);
  // Another site's page hears nothing of it.
  const foreign = await expectProblem(
    await logIn(origin, "https://evil.example"),
    "cross-site-refused",
  );
  expect(foreign.fields).toBeUndefined();
  await expectProblem(await logIn(origin, origin), "log-in-refused");
});
