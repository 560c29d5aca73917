import { exported, quoted } from "../shell.ts";
import type { Sink } from "./sink.ts";

/** What a sender needs to use the sink, as one line of JSON. */
export function sinkAsJson(sink: Sink): string {
  const { origins, port, places, caPath, serverEnvironment, controlUrl } = sink;
  const control = { url: controlUrl };
  return JSON.stringify({
    type: "ready",
    origins,
    port,
    places,
    control,
    caPath,
    serverEnvironment,
  });
}

/** The same for people: to be copied into a shell as it stands. */
export function describeSink(sink: Sink): string {
  const curls = sink.origins.map(
    (origin) => `  curl ${sink.reach(origin).curl.map(quoted).join(" ")}`,
  );
  return [
    ...sink.places.map(
      ({ origin, address, port }) => `The sink plays ${origin} on ${address}:${port}.`,
    ),
    "",
    "For a Sineta server, in its environment:",
    ...exported(sink.serverEnvironment),
    "",
    "For curl:",
    ...curls,
    "",
    "What arrived, and what is to go wrong:",
    `  curl ${sink.controlUrl}/counts`,
    `  curl ${sink.controlUrl}/faults -H 'content-type: application/json' -d '{"fault":{"kind":"hang","at":"request"},"times":1}'`,
  ].join("\n");
}
