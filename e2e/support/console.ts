import type { Line, Said } from "./browsers/port.ts";
import { failedLine, noTokenLine } from "./bell.ts";

type Message = { type: () => string; text: () => string; args: () => unknown[] };

/** What of a page of Playwright or of Puppeteer is listened to. */
type Talkative = {
  on: ((event: "console", listener: (message: Message) => void) => unknown) &
    ((event: "pageerror", listener: (error: unknown) => void) => unknown);
};

/** Keeps what the page writes from now on: lines of `console.log`, and apart from them every warning and error. */
export function recordConsole(page: Talkative): { lines: Line[]; complaints: string[] } {
  const lines: Line[] = [];
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "log")
      lines.push({ text: message.text(), count: message.args().length });
    else complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { lines, complaints };
}

/** Keeps in `said` what a page or a worker writes from now on, in whatever form. */
export function recordEverything(
  place: {
    on: (event: "console", listener: (message: Message) => void) => unknown;
    url: () => string;
  },
  said: Said[],
): void {
  place.on("console", (message) =>
    said.push({ type: message.type(), text: message.text(), url: place.url() }),
  );
}

/**
 * What the specification knows nothing of: any line of `console.log` but S9's and S10's, and a hint for developers on
 * a page that is not theirs.
 */
export function unspecified(said: readonly Said[]): Said[] {
  const lines = new Set([noTokenLine.text, failedLine.text]);
  return said.filter(({ type, text, url }) =>
    type === "log"
      ? !lines.has(text)
      : text.startsWith("Sineta: ") && new URL(url).hostname !== "localhost",
  );
}
