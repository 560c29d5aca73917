import { pino, type Logger } from "pino";
import type { LogLevel } from "./settings.ts";

export type Log = Logger;

/**
 * The log, on stderr: JSON for machines, plain lines on a terminal. What belongs to a browser (endpoint path,
 * keys, token, client secret) is never handed to it.
 */
export function createLog(
  level: LogLevel,
  stream: { write: (text: string) => unknown; isTTY?: boolean },
): Log {
  const write = (line: string) => stream.write(stream.isTTY === true ? readable(line) : line);
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

function readable(line: string): string {
  const { level, time, msg, err, ...rest }: LogLine = JSON.parse(line);
  const more = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const label = pino.levels.labels[level] ?? String(level);
  const stack = err === undefined ? "" : `\n${err.stack ?? err.message}`;
  return `${[time, label.toUpperCase(), msg, ...more].join(" ")}${stack}\n`;
}

/** What pino writes, with its serializer of errors. */
type LogLine = {
  level: number;
  time: string;
  msg: string;
  err?: { message: string; stack?: string };
  [field: string]: unknown;
};
