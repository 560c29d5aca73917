/** Where Firefox differs: it puts its question only to a person's gesture, and gives up on a silent push service itself. */
import { failedLine, noTokenLine } from "../support/bell.ts";
import { openFirefox } from "../support/browsers/firefox.ts";
import { expect, test } from "../support/fixtures.ts";
import { bellButton, bellOf, isOff, isOn, tokenActionsOf } from "../support/page.ts";

test("S9 on load nothing is asked; a click opens the question, and nothing is said while it is open", async ({
  lab,
  server,
}) => {
  const firefox = await openFirefox({ lab, hosts: [] });
  try {
    const tab = await firefox.open(server.url);
    await expect.poll(() => tab.lines).toEqual([noTokenLine]);
    expect(await firefox.isAsking()).toBe(false);
    await tab.click(bellButton);
    await expect.poll(() => firefox.isAsking()).toBe(true);
    expect(await bellOf(tab)).toEqual({ ...isOff, busy: "true" });
    expect(tab.lines).toEqual([noTokenLine]);

    await firefox.answering(new URL(server.url).origin, "granted", () => Promise.resolve());
    await expect.poll(() => bellOf(tab)).toEqual(isOn);
    expect(await tokenActionsOf(tab)).toHaveLength(1);
    expect(tab.lines).toEqual([noTokenLine]);
  } finally {
    await firefox.close();
  }
});

test("S10 the push service never answers: the line; a click asks again", async ({
  browse,
  lab,
  server,
}) => {
  lab.firefox.hangRegistrations();
  const tab = await (await browse()).open(server.url);
  await expect.poll(() => tab.lines, { timeout: 30_000 }).toEqual([failedLine]);
  await expect.poll(() => bellOf(tab)).toEqual(isOff);
  lab.firefox.recover();
  await tab.click(bellButton);
  await expect.poll(() => bellOf(tab)).toEqual(isOn);
  expect(tab.lines).toEqual([failedLine]);
});
