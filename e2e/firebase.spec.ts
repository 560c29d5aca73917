/** The bell on Firebase's own messaging object: the real package in a real Chromium, with the lab as its push service. */
import { failedLine, noTokenLine, off, on, tokenOf } from "./support/bell.ts";
import { createFirebaseStandIn, type FirebaseStandIn } from "./support/firebase-stand-in.ts";
import { expect, test as base } from "./support/fixtures.ts";
import { type OwnPage, serveFirebasePage } from "./support/own-page.ts";
import { freePort } from "./support/server.ts";
import type { Visitor, VisitorOptions } from "./support/visitor.ts";

type PerTest = {
  firebase: FirebaseStandIn;
  /** Opens a browser on the page, with the stand-in as its Firebase. */
  visitPage: (options?: Partial<VisitorOptions>) => Promise<Visitor>;
};

const test = base.extend<PerTest, { firebasePage: OwnPage }>({
  firebasePage: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const firebasePage = await serveFirebasePage(await freePort());
      await use(firebasePage);
      await firebasePage.stop();
    },
    { scope: "worker" },
  ],
  firebase: async ({ lab }, use) => use(createFirebaseStandIn(lab)),
  visitPage: async ({ firebase, firebasePage, visit }, use) =>
    use(async (options = {}) => {
      // The stand-in has to be there before the page asks, on load: first comes a page that asks nothing.
      const visitor = await visit({
        url: new URL("vazia.html", firebasePage.url).href,
        ...options,
      });
      await firebase.answer(visitor.context);
      await visitor.page.goto(`${firebasePage.url}?vapidKey=${firebase.vapidKey}`);
      return visitor;
    }),
});

test("S7 S8 asks on load, and a token turns the bell on", async ({
  firebase,
  lab,
  firebasePage,
  visitPage,
}) => {
  const visitor = await visitPage();
  await expect(visitor.bell).toHaveAccessibleName(on);
  const [[token, registration] = []] = firebase.registrations;
  expect(await visitor.actions()).toEqual([{ type: "setToken", payload: token }]);
  expect(registration).toMatchObject({
    origin: new URL(firebasePage.url).host,
    applicationPubKey: firebase.vapidKey,
  });
  const subscription = lab
    .subscriptions()
    .find(({ endpoint }) => endpoint === registration?.endpoint);
  expect(subscription).toMatchObject({
    origin: new URL(firebasePage.url).origin,
    applicationServerKey: firebase.vapidKey,
  });
  expect(visitor.lines).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

test("S9 S13 S14 a refused permission is no token, and no failure", async ({
  firebase,
  visitPage,
}) => {
  const visitor = await visitPage({ allows: false });
  await expect.poll(() => visitor.lines).toEqual([noTokenLine]);
  await expect(visitor.bell).toHaveAccessibleName(off);
  await visitor.bell.click();
  await expect.poll(() => visitor.lines).toEqual([noTokenLine, noTokenLine]);
  await expect(visitor.bell).toHaveAccessibleName(off);
  expect(await visitor.actions()).toEqual([]);
  expect(firebase.requests).toEqual([]);
});

test("S10 a failure at Firebase is told to the console, and a later click turns the bell on", async ({
  firebase,
  visitPage,
}) => {
  firebase.fail();
  const visitor = await visitPage();
  await expect.poll(() => visitor.lines).toEqual([failedLine]);
  await expect(visitor.bell).toHaveAccessibleName(off);
  expect(await visitor.actions()).toEqual([]);

  firebase.recover();
  await visitor.bell.click();
  await expect(visitor.bell).toHaveAccessibleName(on);
  expect(await visitor.actions()).toEqual([
    { type: "setToken", payload: [...firebase.registrations.keys()][0] },
  ]);
  expect(visitor.lines).toEqual([failedLine]);
});

test("S11 a click asks again, and never turns the bell off", async ({ firebase, visitPage }) => {
  const visitor = await visitPage();
  await expect(visitor.bell).toHaveAccessibleName(on);
  await visitor.bell.click();
  await expect.poll(() => visitor.actions()).toHaveLength(2);
  const action = { type: "setToken", payload: [...firebase.registrations.keys()][0] };
  expect(await visitor.actions()).toEqual([action, action]);
  await expect(visitor.bell).toHaveAccessibleName(on);
  expect(firebase.registrations.size).toBe(1);
});

test("what Firebase pushes reaches the page, and is shown while no page is open", async ({
  desktop,
  firebase,
  firebasePage,
  visitPage,
}) => {
  const visitor = await visitPage({ desktop });
  const token = await tokenOf(visitor);
  const link = new URL("?aviso=pao", firebasePage.url).href;
  const bread = { title: "Saiu pão", body: "O forno está aberto." };
  expect(await firebase.push(token, { notification: bread, fcmOptions: { link } })).toBe(201);
  await expect
    .poll(() => visitor.page.evaluate(() => Reflect.get(window, "recordedNotices")))
    .toEqual([expect.objectContaining({ ...bread, navigate: link })]);
  expect(desktop.shown()).toEqual([]);

  await visitor.page.goto("about:blank");
  const cake = { title: "Saiu bolo", body: "De fubá." };
  expect(await firebase.push(token, { notification: cake })).toBe(201);
  // Chromium writes the site's name above the body.
  const body = expect.stringContaining(cake.body);
  await expect.poll(() => desktop.shown()).toMatchObject([{ ...cake, body }]);
});

test("a week later Firebase renews, and the bell is on with the same token", async ({
  firebase,
  visitPage,
}) => {
  const visitor = await visitPage();
  const token = await tokenOf(visitor);
  expect(firebase.requests).toEqual(["POST installations", "POST registrations"]);
  const weekMs = 7 * 24 * 60 * 60 * 1000;
  await visitor.page.clock.setSystemTime(Date.now() + weekMs);
  await visitor.page.reload();
  expect(await tokenOf(visitor)).toBe(token);
  expect(firebase.requests.slice(2)).toEqual(["POST authTokens:generate", "PATCH registrations"]);
});

test("a deleted token ends at Firebase and at the push service; a click brings a new one", async ({
  firebase,
  lab,
  visitPage,
}) => {
  const visitor = await visitPage();
  const token = await tokenOf(visitor);
  const endpoint = firebase.registrations.get(token)?.endpoint;
  const deleted = await visitor.page.evaluate(() => Reflect.get(window, "messaging").deleteToken());
  expect(deleted).toBe(true);
  expect(firebase.registrations.size).toBe(0);
  await lab.until(() => lab.subscriptions().find((one) => one.endpoint === endpoint)?.ended);

  await visitor.bell.click();
  await expect.poll(() => visitor.actions()).toHaveLength(2);
  const renewed = await tokenOf(visitor);
  expect(renewed).not.toBe(token);
  expect([...firebase.registrations.keys()]).toEqual([renewed]);

  // A visitor can leave also while Firebase cannot be told.
  const current = firebase.registrations.get(renewed)?.endpoint;
  firebase.fail();
  expect(await visitor.page.evaluate(() => Reflect.get(window, "messaging").deleteToken())).toBe(
    true,
  );
  await lab.until(() => lab.subscriptions().find((one) => one.endpoint === current)?.ended);
  firebase.recover();
  await visitor.bell.click();
  await expect.poll(() => visitor.actions()).toHaveLength(3);
  expect(await tokenOf(visitor)).not.toBe(renewed);
});
