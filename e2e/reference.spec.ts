/** The API's reference at /docs and the page of errors, offline: nothing is asked of any other server. */
import type { Locator, Page } from "@playwright/test";
import { contrast } from "./support/contrast.ts";
import { expect, test } from "./support/fixtures.ts";

/** Swagger UI has a store of its own, and would be recorded as if it were the bell's. */
function withoutRecorder(): void {
  Reflect.deleteProperty(window, "__REDUX_DEVTOOLS_EXTENSION_COMPOSE__");
}

/** Each text that is shown on too weak a contrast with the nearest ground behind it (WCAG 2.2, 1.4.3). */
async function weakTexts(page: Page): Promise<object[]> {
  const texts = await page.locator("body *").evaluateAll((elements) =>
    elements
      .filter(
        (element) =>
          element.checkVisibility() &&
          [...element.childNodes].some(
            ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
          ),
      )
      .map((element) => {
        let behind = element;
        while (getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)") {
          behind = behind.parentElement ?? document.body;
        }
        const ground = getComputedStyle(behind).backgroundColor;
        return { text: element.textContent, ink: getComputedStyle(element).color, ground };
      }),
  );
  expect(texts.length).toBeGreaterThan(100);
  return texts.filter(({ ink, ground }) => contrast(ink, ground) < 4.5);
}

/** A font's file is only loaded for a text that is set in it. */
async function expectFigtree(page: Page): Promise<void> {
  const loaded = () =>
    page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family),
    );
  await expect.poll(loaded).toContainEqual(expect.stringContaining("Figtree Variable"));
}

/** The link of the bar to the page that is shown. */
function shownPage(page: Page): Locator {
  return page.getByRole("navigation", { name: "Pages" }).locator("[aria-current=page]");
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
      "script-src 'self'; style-src 'self'; font-src 'self';",
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
    await expect(page.getByRole("link", { name: "Every error code" })).toHaveAttribute(
      "href",
      new URL("/docs/errors", url).href,
    );
    await publishing.locator(".tablinks", { hasText: "Schema" }).last().click();
    await expect(publishing.getByText("Expand all").first()).toBeVisible();
    expect(await weakTexts(page)).toEqual([]);
    await expectFigtree(page);
    await expect(shownPage(page)).toHaveText("API reference");

    expect(complaints).toEqual([]);
    const elsewhere = asked.filter(
      ({ protocol, origin }) => protocol !== "data:" && origin !== url.origin,
    );
    expect(elsewhere.map(String)).toEqual([]);
    expect(asked.map(({ pathname }) => pathname)).toContain("/docs/swagger-ui-bundle.js");
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`opens the entry of an error at its type, ${colorScheme}`, async ({ server, visit }) => {
    const refused = await fetch(new URL("/v1/projects/default/messages", server.url));
    const { type, title }: { type: string; title: string } = await refused.json();
    const { context, page, complaints } = await visit({ url: type, allows: false, colorScheme });
    await page.goto("about:blank");
    const asked: URL[] = [];
    context.on("request", (request) => asked.push(new URL(request.url())));
    const answer = await page.goto(type);
    expect(answer?.headers()["content-security-policy"]).toContain("style-src 'self';");

    const entry = page.locator(".entry", {
      has: page.getByRole("heading", { name: "api-key-missing", exact: true }),
    });
    await expect(entry).toContainText(title);
    await expect(entry).toBeInViewport({ ratio: 0.9 });
    const marked = await page
      .locator(".entry")
      .evaluateAll((entries) =>
        entries
          .filter((each) => getComputedStyle(each).backgroundColor !== "rgba(0, 0, 0, 0)")
          .map((each) => each.querySelector("h3")?.textContent),
      );
    expect(marked).toEqual(["api-key-missing"]);
    expect(await weakTexts(page)).toEqual([]);
    await expectFigtree(page);
    await expect(shownPage(page)).toHaveText("Errors");

    // The heading of another entry leads to it.
    await page.getByRole("link", { name: "role-missing", exact: true }).click();
    expect(page.url()).toBe(new URL("#role-missing", type).href);
    await expect(page.getByRole("link", { name: "The API's reference" })).toHaveAttribute(
      "href",
      "/docs",
    );
    expect(complaints).toEqual([]);
    const { origin } = new URL(server.url);
    expect(asked.filter((url) => url.origin !== origin).map(String)).toEqual([]);
    expect(asked.map(({ pathname }) => pathname)).toContain("/docs/errors.css");
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
