/** What the bell does beyond its specification, where the page asks for it. The same in Chromium and in Firefox. */
import { noTokenLine, setToken } from "../support/bell.ts";
import type { Line, Tab } from "../support/browsers/port.ts";
import { expect, test } from "../support/fixtures.ts";
import { addressOf } from "../support/own-page.ts";
import {
  bellButton,
  bellOf,
  isOff,
  isOn,
  requestsOf,
  tokenActionsOf,
  tokenIn,
} from "../support/page.ts";
import { subscriptionIn, subscriptionOf } from "../support/worker.ts";

const permissionIn = (tab: Tab) => tab.run(() => Notification.permission, null);

test("the bell does what the page's options say, and the visitor's decision lasts", async ({
  browse,
  lab,
  ownPage,
  serve,
}) => {
  const server = await serve({ SINETA_ORIGINS: ownPage.url });
  const { origin } = new URL(ownPage.url);
  /** Where the page is, with the bell's options that its owner has written into it. */
  const at = (options: object) => addressOf(ownPage, server, { options: JSON.stringify(options) });
  const browser = await browse({});
  let tab = await browser.open(await at({ askOnLoad: false }));

  await test.step("askOnLoad={false}: a load asks nothing, and gets the token once the permission is granted", async () => {
    await expect.poll(() => bellOf(tab)).toEqual(isOff);
    expect(await permissionIn(tab)).toBe("default");
    await browser.answering(origin, "granted", () => tab.click(bellButton));
    const token = await tokenIn(tab);
    // A load that had asked would have written its line.
    expect(tab.lines).toEqual([]);
    await tab.reload();
    expect(await tokenIn(tab)).toBe(token);
    expect(await tokenActionsOf(tab)).toEqual([setToken]);
  });

  await test.step("language and labels: other words", async () => {
    const expectWords = async (options: object, words: object) => {
      await tab.goto(await at(options));
      await expect.poll(() => wordsOf(tab)).toEqual(words);
    };
    await expectWords({ language: "en" }, { lang: "en", name: "Disable notifications" });
    await expectWords({ language: "es" }, { lang: "es", name: "Desactivar notificaciones" });
    const labels = { disable: "Avisos ligados" };
    await expectWords({ labels }, { lang: "pt-BR", name: "Avisos ligados" });
  });

  await test.step('whenOn="disable": a click turns notifications off, and no load turns them on again', async () => {
    await tab.goto(await at({ whenOn: "disable" }));
    const token = await tokenIn(tab);
    const { endpoint } = await subscriptionIn(tab);
    await tab.click(bellButton);
    await expect.poll(() => bellOf(tab)).toEqual(isOff);
    expect(await tokenActionsOf(tab)).toEqual([setToken, { type: "setToken", payload: null }]);
    await lab.until(() => lab.subscriptions().find((one) => one.endpoint === endpoint)?.ended);
    const sent = await server.run("send", "--to", token, "--title", "Oi", "--body", "Olá");
    expect(sent.stderr).toContain("there is no registration with this token that can be reached");

    // A person ends the browser, or the system does, in the moment in which the bell has turned grey.
    await browser.kill();
    await browser.start();
    tab = await browser.open("about:blank");
    const lines: Line[] = [];
    // Nor where the page no longer has the option.
    for (const options of [{ whenOn: "disable" }, {}, { whenOn: "disable" }]) {
      await tab.goto(await at(options));
      lines.push(noTokenLine);
      await expect.poll(() => tab.lines).toEqual(lines);
      await expect.poll(() => bellOf(tab)).toEqual(isOff);
      expect(await permissionIn(tab)).toBe("granted");
      expect(await requestsOf(tab)).toEqual([]);
      expect(await subscriptionOf(tab)).toBe(null);
    }
    await tab.click(bellButton);
    expect(await tokenIn(tab)).not.toBe(token);
    await tab.reload();
    await expect.poll(() => bellOf(tab)).toEqual(isOn);
  });
});

/** What the bell is called, in its name and its tooltip alike, and the language that is said to be. */
function wordsOf(tab: Tab) {
  return tab.run((selector) => {
    const bell = document.querySelector(selector);
    const name = bell?.getAttribute("aria-label");
    const tooltip = document.querySelector("[role=tooltip]")?.textContent;
    const lang = bell?.closest("[lang]")?.getAttribute("lang");
    return name === tooltip ? { lang, name } : { name, tooltip };
  }, bellButton);
}
