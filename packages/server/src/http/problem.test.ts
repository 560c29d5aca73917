import { afterEach, beforeEach, expect, test } from "vitest";
import { httpErrors, problemSchema, type HttpErrorCode } from "@sineta/protocol";
import { appBench, expectProblem, origin, type AppBench } from "../test/app-bench.ts";
import { createProblemResponse, HttpProblem } from "./problem.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

function isCode(text: string): text is HttpErrorCode {
  return Object.hasOwn(httpErrors, text);
}

test("the type of every error is an address at which the server shows the error's entry", async () => {
  bench.app.get("/thrown/:code", (context) => {
    const code = context.req.param("code");
    throw isCode(code) ? new HttpProblem(code) : new Error(code);
  });
  const codes = Object.keys(httpErrors).filter(isCode);
  for (const code of codes) {
    const { type } = await expectProblem(await bench.app.request(`/thrown/${code}`), code);
    const address = new URL(type);
    expect(address.origin).toBe(origin);
    const page = await bench.app.request(address.href);
    expect(page.status).toBe(200);
    expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).toContain(`<h3 id="${address.hash.slice(1)}">`);
    expect(address.hash).toBe(`#${code}`);
  }
});

test("so is the type of what no route answers, and of what fails unforeseen", async () => {
  bench.app.get("/fails", () => {
    throw new Error("unforeseen");
  });
  const unknown = await expectProblem(await bench.app.request("/v1/nothing"), "route-unknown");
  expect(unknown.type).toBe(`${origin}/docs/errors#route-unknown`);
  const failed = await expectProblem(await bench.app.request("/fails"), "internal");
  expect(failed.type).toBe(`${origin}/docs/errors#internal`);
});

test.for(["https://avisos.example/", "https://avisos.example"])(
  "of a server at %s",
  async (url) => {
    const problem = problemSchema.parse(await createProblemResponse(url)("role-missing").json());
    expect(problem.type).toBe("https://avisos.example/docs/errors#role-missing");
  },
);
