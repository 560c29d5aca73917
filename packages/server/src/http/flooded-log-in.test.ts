import { afterEach, beforeEach, expect, test } from "vitest";
import { appBench, operatorPassword, origin, type AppBench } from "../test/app-bench.ts";
import { addressOf, cameFrom } from "../test/came-from.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const logIn = (body: object, address: string, cookie?: string) =>
  bench.app.fetch(
    new Request(`${origin}/v1/session`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Origin: origin,
        ...(cookie === undefined ? {} : { Cookie: cookie }),
      },
      body: JSON.stringify(body),
    }),
    cameFrom(address),
  );
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");

test("a flood of strangers does not keep out a browser that has logged in before, nor somebody who is logged in", async () => {
  const { email, headers } = await bench.operator("owner");
  const right = { email, password: operatorPassword };
  const cookies = cookiesOf(await logIn(right, "192.0.2.1"));
  const device = cookies.split("; ").find((cookie) => cookie.startsWith("sineta-device="));
  expect(device).toBeDefined();

  const flood = Array.from({ length: 60 }, async (_, number) =>
    logIn({ email: `${number}@nobody.example`, password: "x" }, addressOf(number)),
  );
  const stranger = logIn(right, "192.0.2.2");
  const known = logIn(right, "192.0.2.3", device);
  const inSession = bench.app.request("/v1/session/totp", {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ password: operatorPassword }),
  });
  expect((await stranger).status).toBe(503);
  expect((await known).status).toBe(200);
  expect((await inSession).status).toBe(200);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
});
