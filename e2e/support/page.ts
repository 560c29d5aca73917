/** What a scenario reads of the site's page, in whichever browser. */
import { expect } from "@playwright/test";
import { off, on } from "./bell.ts";
import type { Tab } from "./browsers/port.ts";

export const bellButton = ".sineta-bell-button";

export type Bell = { name: string | null; busy: string | null };

/** The bell's accessible name and whether it is busy; null where there is no bell. */
export function bellOf(tab: Tab): Promise<Bell | null> {
  return tab.run((selector) => {
    const button = document.querySelector(selector);
    return (
      button && { name: button.getAttribute("aria-label"), busy: button.getAttribute("aria-busy") }
    );
  }, bellButton);
}

export const isOn: Bell = { name: on, busy: "false" };
export const isOff: Bell = { name: off, busy: "false" };

/** The actions with which the page's shared state got a token, oldest first. */
export async function tokenActionsOf(tab: Tab): Promise<{ type: string; payload: string }[]> {
  return tab.run((word) => {
    const actions: { type: string; payload: string }[] = Reflect.get(window, "recordedActions");
    return actions.filter((action) => JSON.stringify(action).includes(word));
  }, "oken");
}

/** The token that the page got last. Waits until the bell is on. */
export async function tokenIn(tab: Tab): Promise<string> {
  await expect.poll(() => bellOf(tab)).toEqual(isOn);
  return (await tokenActionsOf(tab)).at(-1)?.payload ?? "";
}

/** What the page has sent to the server's registrations since it was loaded. */
export function requestsOf(tab: Tab): Promise<{ method: string; url: string; body: unknown }[]> {
  return tab.run((name) => Reflect.get(window, name), "recordedRequests");
}

/** Titles of the notices listed on the page, newest first. */
export function noticesOf(tab: Tab): Promise<string[]> {
  return tab.run(
    (selector) => [...document.querySelectorAll(selector)].map((title) => title.textContent ?? ""),
    "li h2",
  );
}
