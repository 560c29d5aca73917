import { once } from "node:events";
import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  appBench,
  expectProblem,
  origin,
  registrationsPath,
  type AppBench,
} from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";
import { listen } from "./listen.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const errors = () =>
  bench.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);

describe("a JSON body", () => {
  test.for(["application/json;foo", "application/json;", "text/plain"])(
    "declared as %s is refused, not failed on",
    async (type) => {
      const response = await bench.post(testBrowser(), { headers: { "Content-Type": type } });
      await expectProblem(response, "content-type-unsupported");
      expect(errors()).toEqual([]);
    },
  );

  test.for([
    ["with its length", true],
    ["without it", false],
  ] as const)("that is not UTF-8 is refused, %s", async ([, withLength]) => {
    const { clientSecret, subscription } = testBrowser();
    const vapidKey = bench.project.keys.current.publicKey;
    const latin1 = Buffer.from(
      JSON.stringify({ subscription, vapidKey, locale: "portugu\u00eas" }),
      "latin1",
    );
    const response = await bench.app.request(registrationsPath, {
      method: "POST",
      headers: {
        Origin: origin,
        "Content-Type": "application/json",
        "Sineta-Client-Secret": clientSecret,
        ...(withLength ? { "Content-Length": String(latin1.length) } : {}),
      },
      body: latin1,
    });
    const { status } = await expectProblem(response, "json-malformed");
    expect(status).toBe(400);
  });

  test.for([
    ["with its length", { "Content-Length": "100" }],
    ["in chunks", { "Transfer-Encoding": "chunked" }],
  ] as const)("that its client breaks off, %s, is no error of the server", async ([, framing]) => {
    const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<Response>();
    listener.serve((incoming) => {
      const answer = Promise.resolve(bench.app.fetch(incoming));
      answered.resolve(answer);
      asked.resolve();
      return answer;
    });
    const broken = request({
      port: listener.port,
      path: registrationsPath,
      method: "POST",
      agent: false,
      headers: {
        Origin: origin,
        "Content-Type": "application/json",
        "Sineta-Client-Secret": testBrowser().clientSecret,
        ...framing,
      },
    });
    const failed = once(broken, "error");
    broken.write('{"subscription":');
    await asked.promise;
    broken.destroy(new Error("the client went away"));
    await failed;
    expect((await answered.promise).status).toBe(400);
    expect(errors()).toEqual([]);
    await listener.close(0);
  });
});
