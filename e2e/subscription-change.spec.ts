/** `pushsubscriptionchange` in Chromium, which fires it in no way that a test could bring about: so a script fires it. */
import { tokenOf } from "./support/bell.ts";
import { expect, test } from "./support/fixtures.ts";

test("with both subscriptions missing: the worker subscribes anew, and the token is kept", async ({
  desktop,
  lab,
  serve,
  visit,
}) => {
  const server = await serve();
  const visitor = await visit({ url: server.url, desktop });
  const token = await tokenOf(visitor);
  const before = lab.subscriptions().at(-1)?.endpoint;
  const [worker] = visitor.context.serviceWorkers();
  // As some browsers fire it: it names neither the old subscription nor a new one.
  await worker?.evaluate(`(async () => {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    dispatchEvent(new ExtendableEvent("pushsubscriptionchange"));
  })()`);
  await lab.until(() => {
    const last = lab.subscriptions().at(-1);
    return last?.endpoint !== before && !last?.ended;
  });
  const send = () => server.run("send", "--to", token, "--title", "Continua", "--body", "Oi");
  await expect.poll(async () => (await send()).stdout).toContain("1 accepted");
  await desktop.notification("Continua");
});
