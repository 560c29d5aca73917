/** What a page load costs, and two at once. */
import { noTokenLine, on, tokenActions } from "./support/bell.ts";
import { expect, test } from "./support/fixtures.ts";

test.describe("a page load", () => {
  test("keeps the token, and asks the server for it only when it is old", async ({ visit }) => {
    const visitor = await visit();
    await expect(visitor.bell).toHaveAccessibleName(on);
    const before = await tokenActions(visitor);
    await visitor.page.reload();
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(await tokenActions(visitor)).toEqual(before);
    expect(visitor.registrations).toHaveLength(1);
  });

  test("turns the bell on also when the server's registrations cannot be reached", async ({
    visit,
  }) => {
    const visitor = await visit();
    await expect(visitor.bell).toHaveAccessibleName(on);
    await visitor.context.route("**/registrations", (route) => route.abort());
    await visitor.page.reload();
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(visitor.lines).toEqual([]);
  });

  test("in two tabs at once makes one registration", async ({ lab, server, visit }) => {
    const visitor = await visit({ allows: false });
    // A load that is still asking would take the permission, and be cut off by the next in the middle of subscribing.
    await expect.poll(() => visitor.lines).toEqual([noTokenLine]);
    await visitor.context.grantPermissions(["notifications"], {
      origin: new URL(server.url).origin,
    });
    const subscribed = lab.subscriptions().length;
    const second = await visitor.context.newPage();
    const answers: Promise<unknown>[] = [];
    visitor.context.on("response", (response) => {
      if (response.url().endsWith("/registrations")) answers.push(response.json());
    });
    await Promise.all([visitor.page.reload(), second.goto(server.url)]);
    await expect(visitor.bell).toHaveAccessibleName(on);
    await expect(second.getByRole("button")).toHaveAccessibleName(on);
    const tokens = (await Promise.all(answers)).map((answer) => JSON.stringify(answer));
    expect(tokens.length).toBeGreaterThan(0);
    expect(new Set(tokens).size).toBe(1);
    expect(lab.subscriptions().length).toBe(subscribed + 1);
  });
});
