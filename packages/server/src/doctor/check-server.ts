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
  /** Null if this user cannot know. */
  isRunning: boolean | null;
  /** Whether the database is that of an earlier version. */
  isOlder: boolean;
  /** Null if the secret does not open. */
  token: string | null;
};

const deadlineMs = 5_000;

/** Asks the server at its own address on this machine. */
export async function checkServer(parts: ServerCheckParts): Promise<DoctorFinding[]> {
  const { config, isRunning, isOlder } = parts;
  // The finding on the database tells that the folder is out of reach.
  if (isRunning === null) return [];
  if (!isRunning) return [finding("server-stopped", config.dataFolder)];
  if (isOlder) return [finding("server-older", config.dataFolder)];
  if (config.port === 0) return [finding("server-port-unknown")];
  const url = loopbackUrl(config);
  const signal = AbortSignal.timeout(deadlineMs);
  const ready = await ask(new URL("/readyz", url), { signal });
  if (ready.kind === "none") return [finding("server-silent", url.origin, ready.why)];
  const loaded = await checkLoaded(url, config.tls, signal);
  if (ready.status === 503) {
    return [finding("server-not-ready", url.origin, String(ready.status)), ...loaded];
  }
  if (ready.status !== 200) {
    return [finding("server-foreign", url.origin, `status ${ready.status}`)];
  }
  return [await versionAt(url, parts.token, signal), ...loaded];
}

async function versionAt(url: URL, token: string | null, signal: AbortSignal) {
  if (token === null) return finding("server-answers", url.origin);
  const answer = await askForEcho(url, { token, signal });
  if (answer.kind === "none") return finding("server-silent", url.origin, answer.why);
  if (answer.kind === "answer") {
    return finding("server-foreign", url.origin, `status ${answer.status}`);
  }
  const running = answer.echo.version;
  return running === version
    ? finding("server-runs", url.origin, version)
    : finding("server-outdated", version, running);
}
