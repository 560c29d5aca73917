import { pino, type Logger } from "pino";
import type { LogLevel } from "./settings.ts";
import { isDamaged } from "./store/damaged.ts";

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
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: told } },
    { write },
  );
}

const damageRemedy =
  "The database is damaged: stop Sineta, move sineta.db, sineta.db-wal and sineta.db-shm away, and put a back-up there with sineta restore FILE.";

/** An error as pino has it, and what to do about it where that is known. */
function told(error: Error): object {
  const serialized = pino.stdSerializers.err(error);
  return isDamaged(error) ? { ...serialized, remedy: damageRemedy } : serialized;
}

function readable(line: string): string {
  const { level, time, msg, err, ...rest }: LogLine = JSON.parse(line);
  const more = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const label = pino.levels.labels[level] ?? String(level);
  const remedy = err?.remedy === undefined ? "" : `\n${err.remedy}`;
  const stack = err === undefined ? "" : `\n${err.stack ?? err.message}`;
  return `${[time, label.toUpperCase(), msg, ...more].join(" ")}${remedy}${stack}\n`;
}

/** What pino writes, with its serializer of errors. */
type LogLine = {
  level: number;
  time: string;
  msg: string;
  err?: { message: string; stack?: string; remedy?: string };
  [field: string]: unknown;
};
