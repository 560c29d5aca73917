/**
 * A person's browser, as a scenario drives it: what Chromium's and Firefox's drivers both do. Whatever differs between
 * the two is theirs, so that one scenario file runs in both.
 */
import type { PushLab } from "@sineta/push-lab";
import type { Desktop } from "../desktop.ts";

export type Engine = "chromium" | "firefox";

export type Decision = "granted" | "denied" | "default";

export type BrowserOptions = {
  lab: PushLab;
  /** Other host names that lead to this machine. */
  hosts: readonly string[];
};

/** A line of the page's console, written with `console.log`, and how many arguments it was written with. */
export type Line = { text: string; count: number };

/** What a page or a worker wrote to its console: the method, the text, and the address of the page or of the worker. */
export type Said = { type: string; text: string; url: string };

/** A function for the page: it sees its argument, as JSON, and nothing else of the test. */
export type Script<Argument, Result> = (argument: Argument) => Result | Promise<Result>;

export type Tab = {
  /** Lines since the tab was opened, across loads. */
  readonly lines: readonly Line[];
  /** Everything the page wrote as a warning or an error. */
  readonly complaints: readonly string[];
  url: () => string;
  goto: (url: string) => Promise<void>;
  reload: () => Promise<void>;
  /**
   * Runs a function in the page. Firefox counts that as a gesture of the person: where one must
   * be missing, wait for the console first.
   */
  run: <Argument, Result>(script: Script<Argument, Result>, argument: Argument) => Promise<Result>;
  /** A click of the mouse on the only element that fits the CSS selector. */
  click: (selector: string) => Promise<void>;
  close: () => Promise<void>;
};

export type Browser = {
  readonly engine: Engine;
  /** All that its pages, and in Chromium its service workers, have written to their consoles. */
  readonly said: readonly Said[];
  /** Where its notifications are shown and clicked. */
  readonly desktop: Desktop;
  /** Opens a tab. */
  open: (url: string) => Promise<Tab>;
  /** Addresses of all tabs, also of those that no scenario opened. */
  addresses: () => Promise<string[]>;
  /** The person decides in the browser's settings. It lasts across restarts. */
  decide: (origin: string, decision: Decision) => Promise<void>;
  /**
   * The same, by way of the settings page itself, as far as the engine has one: slower, and the browser ends subscriptions
   * and wakes workers as it does for a person. Decide with nothing else for that origin.
   */
  decideInSettings: (origin: string, decision: Decision) => Promise<void>;
  /** The person does something, and answers the question that the browser then puts. */
  answering: (
    origin: string,
    answer: "granted" | "denied",
    act: () => Promise<void>,
  ) => Promise<void>;
  /** The person clears everything that a site has stored. */
  clearSiteData: (origin: string) => Promise<void>;
  /** The person blocks, or allows again, what the browser calls the site's cookies or data. */
  blockSiteData: (origin: string, blocked: boolean) => Promise<void>;
  /** Ends the browser as a person does; the profile stays. */
  quit: () => Promise<void>;
  /** Ends it at once (SIGKILL); the profile stays as it is. */
  kill: () => Promise<void>;
  /** Starts it again on its profile. */
  start: () => Promise<void>;
  /** Copies the profile while the browser is not running. Resolves to what puts the copy in the profile's place. */
  copyProfile: () => Promise<() => Promise<void>>;
  /** Closes its tabs and forgets every site, so that the next test finds it new. Null where a new one starts as fast. */
  reset: (() => Promise<void>) | null;
  /** Ends it for good. */
  close: () => Promise<void>;
};

/** The call of a function as an expression: what every protocol takes. */
export function callText<Argument, Result>(
  script: Script<Argument, Result>,
  argument: Argument,
): string {
  return `(${script.toString()})(${JSON.stringify(argument) ?? ""})`;
}
