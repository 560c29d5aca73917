/** A worker that has subscribed anew by itself. */
import { expect } from "@playwright/test";
import type { PushLab } from "@sineta/push-lab";
import type { Browser } from "./browsers/port.ts";
import type { SinetaServer } from "./server.ts";

/** Expects that a message reaches the old token at a subscription that the worker has made, with no page open. */
export async function expectRenewed(renewal: {
  lab: PushLab;
  server: SinetaServer;
  browser: Browser;
  token: string;
  /** Endpoint of the subscription that was lost. */
  before: string | undefined;
}): Promise<void> {
  const { lab, server, browser, token, before } = renewal;
  const renewed = await lab.until(() => {
    const last = lab.subscriptions().at(-1);
    return last !== undefined && last.endpoint !== before && !last.ended && last;
  });
  const send = () => server.run("send", "--to", token, "--title", "Continua", "--body", "Oi");
  // The subscription is at the push service a moment before the server has heard of it.
  await expect.poll(async () => (await send()).stdout).toContain("1 accepted");
  await browser.desktop.notification("Continua");
  expect(lab.pushes().at(-1)?.endpoint).toBe(renewed.endpoint);
}
