import type { DoctorFinding } from "@sineta/protocol";
import packageJson from "../../package.json" with { type: "json" };
import type { Config } from "../config.ts";
import { loopbackUrl } from "../loopback-url.ts";
import { ask } from "./ask.ts";
import { askForEcho } from "./ask-for-echo.ts";
import { checkLoaded } from "./check-loaded.ts";
import { finding } from "./finding.ts";

const { version } = packageJson;

export type ServerCheckParts = {
  config: Pick<Config, "host" | "port" | "tls" | "dataFolder">;
  isRunning: boolean;
  /** Null if the secret does not open. */
  token: string | null;
  signal: AbortSignal;
};

/** Asks the server at its own address on this machine. */
export async function checkServer(parts: ServerCheckParts): Promise<DoctorFinding[]> {
  const { config, isRunning, token, signal } = parts;
  if (!isRunning) return [finding("server-stopped", config.dataFolder)];
  if (config.port === 0) return [finding("server-port-unknown")];
  const url = loopbackUrl(config);
  const ready = await ask(new URL("/readyz", url), { signal });
  if (ready.kind === "none") return [finding("server-silent", url.origin, ready.why)];
  const loaded = await checkLoaded(url, config.tls, signal);
  if (token === null) return loaded;
  const answer = await askForEcho(url, { token, signal });
  if (answer.kind === "none") return [finding("server-silent", url.origin, answer.why), ...loaded];
  if (answer.kind === "answer") {
    return [finding("server-foreign", url.origin, `status ${answer.status}`)];
  }
  if (ready.status !== 200) {
    return [finding("server-not-ready", url.origin, String(ready.status)), ...loaded];
  }
  const running = answer.echo.version;
  return [
    running === version
      ? finding("server-runs", url.origin, version)
      : finding("server-outdated", version, running),
    ...loaded,
  ];
}
