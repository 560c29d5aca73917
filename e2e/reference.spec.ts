/** The API's reference at /docs, offline: nothing is asked of any other server. */
import { contrast } from "./support/contrast.ts";
import { expect, test } from "./support/fixtures.ts";

/** Swagger UI has a store of its own, and would be recorded as if it were the bell's. */
function withoutRecorder(): void {
  Reflect.deleteProperty(window, "__REDUX_DEVTOOLS_EXTENSION_COMPOSE__");
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`shows every operation, ${colorScheme}, and asks no other server`, async ({
    server,
    visit,
  }) => {
    const url = new URL("/docs", server.url);
    const { context, page, complaints } = await visit({
      url: url.href,
      allows: false,
      colorScheme,
      before: withoutRecorder,
    });
    const asked: URL[] = [];
    context.on("request", (request) => asked.push(new URL(request.url())));
    const answer = await page.reload();
    expect(answer?.headers()["content-security-policy"]).toContain(
      "script-src 'self'; style-src 'self';",
    );

    const described: { paths: Record<string, object> } = await (
      await page.request.get(new URL("/v1/openapi.json", url).href)
    ).json();
    const operations = Object.values(described.paths).flatMap((item) => Object.keys(item));
    await expect(page.locator(".opblock")).toHaveCount(operations.length);
    const publishing = page.locator(".opblock", { hasText: "Publish a message, or look" });
    await publishing.getByRole("button").first().click();
    await expect(publishing).toContainText("an API key with the scope send");
    await expect(publishing).toContainText("idempotency-key");
    await expect(publishing).toContainText("O pão saiu do forno");
    // It shows, and sends nothing.
    const senders = page.getByRole("button", { name: /try it out|execute|authorize/i });
    await expect(senders).toHaveCount(0);
    const [ink, ground] = await publishing
      .locator("p")
      .first()
      .evaluate((text) => [
        getComputedStyle(text).color,
        getComputedStyle(document.body).backgroundColor,
      ]);
    expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);

    expect(complaints).toEqual([]);
    const elsewhere = asked.filter(
      ({ protocol, origin }) => protocol !== "data:" && origin !== url.origin,
    );
    expect(elsewhere.map(String)).toEqual([]);
    expect(asked.map(({ pathname }) => pathname)).toContain("/docs/swagger-ui-bundle.js");
  });
}

test("is loaded on /docs alone", async ({ server, visit }) => {
  const { context, page } = await visit({ url: server.url, allows: false });
  const asked: string[] = [];
  context.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await page.goto(new URL("/painel", server.url).href);
  await expect(page.locator("#root")).not.toBeEmpty();
  expect(asked.filter((path) => path.startsWith("/docs"))).toEqual([]);
});
