import type { Line } from "./browsers/port.ts";

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
