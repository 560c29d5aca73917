import type { ServerProcess } from "../broadcast/process.ts";
import { spreadOf } from "../rounds.ts";

/** What a person at the console waits for, behind the project's address. Of the last nobody is found, so that it walks. */
const queries = [
  ["console: audience by day", "audience/days"],
  ["console: messages", "messages?limit=50"],
  ["console: registrations, filtered", "registrations?browser=firefox&language=de"],
] as const;

/** Milliseconds of each query, by what it is. */
export type QueryTimes = ReadonlyMap<string, readonly number[]>;

/**
 * Asks the console's queries over HTTP, as an operator who is logged in, one after the other without a pause.
 * @param goOn asked before each round of them
 * @throws if one is not answered with 200
 */
export async function askConsole(
  { url }: ServerProcess,
  cookie: { name: string; value: string },
  goOn: () => boolean,
): Promise<QueryTimes> {
  const times = new Map(queries.map(([name]) => [name, [] as number[]]));
  const headers = { Cookie: `${cookie.name}=${cookie.value}` };
  while (goOn()) {
    for (const [name, path] of queries) {
      const startedMs = performance.now();
      const answer = await fetch(`${url}v1/projects/default/${path}`, { headers });
      const body = await answer.text();
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${body}`);
      times.get(name)?.push(performance.now() - startedMs);
    }
  }
  return times;
}

/** As the loads are told. */
export function queryReport(times: readonly number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((one, other) => one - other);
  return {
    p50: spreadOf(sorted).median,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
  };
}
