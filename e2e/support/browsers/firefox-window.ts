/**
 * What a person does in Firefox's own window. WebDriver BiDi points no mouse there, so what a click would do is done
 * by script; the commands with `moz:scope` need `--remote-allow-system-access`.
 */
import type { Browser } from "puppeteer-core";

/** Answers the question that Firefox has put, or is about to put, beside its address bar. */
export async function answerQuestion(
  firefox: Browser,
  answer: "granted" | "denied",
): Promise<void> {
  const button = answer === "granted" ? "button" : "secondaryButton";
  await runInWindow(
    firefox,
    `new Promise((resolve) => {
      const press = () => {
        document.querySelector("#web-notifications-notification").${button}.click();
        resolve();
      };
      if (PopupNotifications.isPanelOpen) press();
      else PopupNotifications.panel.addEventListener("popupshown", press, { once: true });
    })`,
  );
}

/** Whether a question stands beside the address bar. */
export async function isAsking(firefox: Browser): Promise<boolean> {
  return (await runInWindow(firefox, "PopupNotifications.isPanelOpen")) === true;
}

/** Clears everything that the origin has stored, as the settings page does. */
export async function clearSiteData(firefox: Browser, origin: string): Promise<void> {
  await runInWindow(
    firefox,
    `new Promise((resolve) => {
      const principal = Services.scriptSecurityManager.createContentPrincipalFromOrigin(${JSON.stringify(origin)});
      const flags = Ci.nsIClearDataService.CLEAR_COOKIES_AND_SITE_DATA;
      Services.clearData.deleteDataFromPrincipal(principal, true, flags, resolve);
    })`,
  );
}

/** Blocks what the origin would store, or allows it again, as the settings page does. */
export async function blockSiteData(
  firefox: Browser,
  origin: string,
  blocked: boolean,
): Promise<void> {
  await runInWindow(
    firefox,
    `{
      const principal = Services.scriptSecurityManager.createContentPrincipalFromOrigin(${JSON.stringify(origin)});
      const { ${blocked ? "DENY" : "ALLOW"}_ACTION: decision } = Ci.nsIPermissionManager;
      Services.perms.addFromPrincipal(principal, "cookie", decision);
    }`,
  );
}

/** Clears what all sites have stored and been allowed, the caches, and what Firefox knows of the sites. */
export async function clearEverything(firefox: Browser): Promise<void> {
  await runInWindow(
    firefox,
    `new Promise((resolve, reject) => {
      Services.clearData.deleteData(Ci.nsIClearDataService.CLEAR_ALL, (failed) =>
        failed ? reject(new Error("not cleared: " + failed)) : resolve());
    })`,
  );
}

async function runInWindow(firefox: Browser, expression: string): Promise<unknown> {
  const { contexts } = await send(firefox, "browsingContext.getTree", { "moz:scope": "chrome" });
  const [window]: unknown[] = Array.isArray(contexts) ? contexts : [];
  const answer = await send(firefox, "script.evaluate", {
    expression,
    target: { context: Reflect.get(Object(window), "context") },
    awaitPromise: true,
  });
  if (answer["type"] !== "success") throw new Error(`Firefox: ${JSON.stringify(answer)}`);
  return Reflect.get(Object(answer["result"]), "value");
}

/** By puppeteer's own connection, which it shows to nobody: for commands that it has no method for. */
async function send(
  firefox: Browser,
  method: string,
  parameters: object,
): Promise<Record<string, unknown>> {
  const connection: object = Reflect.get(firefox, "connection");
  const answer: unknown = await Reflect.get(connection, "send").call(
    connection,
    method,
    parameters,
  );
  return Reflect.get(Object(answer), "result");
}
