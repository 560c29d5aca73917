import type { PushServicePlace } from "./lab.ts";

/** What a Sineta server needs in its environment to find these push services where they are played, and to trust them. */
export function serverEnvironment(
  places: readonly PushServicePlace[],
  caPath: string,
): Readonly<Record<string, string>> {
  return {
    NODE_EXTRA_CA_CERTS: caPath,
    SINETA_PUSH_ROUTES: places
      .map(({ origin, address, port }) => `${new URL(origin).host}=${address}:${port}`)
      .join(","),
  };
}
