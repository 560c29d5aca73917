import type { Terminal } from "../commands/command.ts";
import type { SitePlaces } from "../http/site.ts";
import { run } from "../main.ts";

/** Runs the command in this process, in this folder. Nobody answers its questions unless `ask` does. */
export async function runCommand(
  words: readonly string[],
  {
    folder,
    places,
    environment = {},
    ask = async () => null,
    askHidden = async () => null,
  }: {
    folder: string;
    places: SitePlaces;
    environment?: Record<string, string>;
    ask?: Terminal["ask"];
    askHidden?: Terminal["askHidden"];
  },
): Promise<{ status: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const status = await run(words, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    errIsTTY: false,
    ask,
    askHidden,
    environment,
    folder,
    onStopSignal: () => () => undefined,
    places,
  });
  return { status, out, err };
}
