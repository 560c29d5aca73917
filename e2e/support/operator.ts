import { expect, type Page } from "@playwright/test";
import type { SinetaServer } from "./server.ts";
import { violationsOn } from "./violations.ts";
import type { Visitor, VisitorOptions } from "./visitor.ts";

/** Whoever the first start's link makes the owner. */
export const owner = {
  email: "dona@padaria.example",
  name: "Dona da padaria",
  password: "oito pontes de pedra",
};

export type Visit = (options?: Partial<VisitorOptions>) => Promise<Visitor>;

/**
 * Makes the owner by the first start's link, over HTTP. Gives the cookie of their session.
 * @param origin which the server takes for the console's: that of SINETA_PUBLIC_URL, if it has one
 */
export async function enrolOwner(
  server: Pick<SinetaServer, "url" | "firstLink">,
  { origin } = new URL(server.url),
): Promise<{ name: string; value: string }> {
  const token = new URL(await server.firstLink()).hash.slice(1);
  const answer = await fetch(new URL("/v1/invitations/accept", server.url), {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin },
    body: JSON.stringify({ token, ...owner }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const cookie = answer.headers.getSetCookie().find((each) => each.includes("session")) ?? "";
  const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
  return { name, value };
}

/** Makes a viewer, whom the owner has invited. Gives the cookie of their session. */
export async function enrolViewer(
  server: Pick<SinetaServer, "url" | "run">,
): Promise<{ name: string; value: string }> {
  await server.run("operators", "create", "chefe@padaria.example");
  const invitation = await server.run("operators", "invite", "--role", "viewer");
  return enrolOwner({ url: server.url, firstLink: async () => invitation.stdout.trim() });
}

/**
 * Opens a page of the console in a browser of its own, with the session's cookie.
 * @param path behind `/painel`
 */
export async function openConsole(
  { server, visit }: { server: Pick<SinetaServer, "url">; visit: Visit },
  cookie: { name: string; value: string },
  path: string,
  options: Partial<VisitorOptions> = {},
): Promise<Visitor> {
  return visit({ url: new URL(`/painel${path}`, server.url).href, cookie, ...options });
}

const pictures = process.env["SINETA_PICTURES"] ?? "e2e/test-results/console";
const widths = [390, 1_440];
const schemes = ["light", "dark"] as const;

/**
 * Looks at the page as a phone and as a desk, light and dark: nothing runs over its edge, and axe finds nothing wrong.
 * Leaves a picture of each in `test-results/console`, or where SINETA_PICTURES says.
 * @param name of the pictures
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
      const overflow = () =>
        page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
      const where = `${name} at ${width} px, ${colorScheme}`;
      // A chart takes a moment for its new width. Less than nothing is the room that is kept for a scroll bar.
      await expect
        .poll(overflow, { message: `${where}: what runs over the edge` })
        .toBeLessThanOrEqual(0);
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.screenshot({
        path: `${pictures}/${name}-${width}-${colorScheme}.png`,
        fullPage: true,
      });
      expect(await violationsOn(page), where).toEqual([]);
    }
  }
  const titles = await page.locator("main section > header h2").allTextContents();
  expect(titles.filter((title) => title.split(" ").length > 3)).toEqual([]);
}
