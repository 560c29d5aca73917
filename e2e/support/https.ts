import type { PushLab } from "@sineta/push-lab";
import type { Serve } from "./fixtures.ts";
import { freePort } from "./server.ts";

/** A server that speaks https itself, under that host name. Resolves to its address. */
export async function serveHttps(lab: PushLab, serve: Serve, host: string): Promise<string> {
  const { certPath, keyPath } = await lab.certificateFor([host]);
  const port = await freePort();
  const url = `https://${host}:${port}/`;
  await serve({
    SINETA_PORT: String(port),
    SINETA_PUBLIC_URL: url,
    SINETA_TLS_CERT: certPath,
    SINETA_TLS_KEY: keyPath,
  });
  return url;
}
