import type { DoctorFinding } from "@sineta/protocol";
import type { Config } from "../config.ts";
import type { ActiveProject } from "../projects/project.ts";
import { ownOriginsOf } from "../projects/origins.ts";
import { createSiteCheck } from "../site-check/check-site.ts";
import type { Store } from "../store/port.ts";
import type { ConnectOptions } from "../webpush/connect.ts";
import { checkClock } from "./check-clock.ts";
import { checkDisk, type DiskParts } from "./check-disk.ts";
import { checkFiles } from "./check-files.ts";
import { checkOrigins } from "./check-origins.ts";
import { checkPublicUrl } from "./check-public-url.ts";
import { checkPushServices } from "./check-push-services.ts";
import { finding } from "./finding.ts";
import { doctorToken } from "./token.ts";

/** What the doctor reads of the data. */
export type DoctorData = {
  store: {
    breakers: Pick<Store["breakers"], "list">;
    hold: Pick<Store["hold"], "find">;
    projects: Pick<Store["projects"], "settings">;
    registrations: Pick<Store["registrations"], "countByOrigin">;
  };
  project: Pick<ActiveProject, "id" | "keys" | "receiptSecret">;
};

export type LookAroundParts = {
  config: Config;
  warnings: readonly string[];
  /** Null if the data cannot be opened. */
  data: DoctorData | null;
  /** The port that the server listens on; null if no server runs. */
  port: number | null;
  connect?: ConnectOptions;
  readDisk?: DiskParts["read"];
  now: () => number;
};

/** For the push services. */
const deadlineMs = 10_000;

/** All that a doctor sees in the same way from within the server and from outside. */
export async function lookAround(parts: LookAroundParts): Promise<DoctorFinding[]> {
  const { config, data, connect = {}, now } = parts;
  const signal = AbortSignal.timeout(deadlineMs);
  const port = parts.port ?? config.port;
  const isRunning = parts.port !== null;
  const token = data === null || !isRunning ? null : doctorToken(data.project.receiptSecret, now());
  const [{ findings: services, clocks }, ...others] = await Promise.all([
    checkPushServices({
      origins: (await data?.store.registrations.countByOrigin(data.project.id)) ?? [],
      held: (await data?.store.breakers.list()) ?? [],
      policy: { hosts: config.pushHosts, routes: config.pushRoutes },
      connect,
      signal,
      now,
    }),
    checkPublicUrl({ config, port, token, connect, nowMs: now() }),
    data === null ? [] : originsOf(parts, data, port),
    checkDisk({
      dataFolder: config.dataFolder,
      lowBytes: config.diskLowBytes,
      ...(parts.readDisk === undefined ? {} : { read: parts.readDisk }),
    }),
    heldDelivery(data),
  ]);
  const { secret } = config;
  return [
    ...settingFindings(parts.warnings),
    ...checkFiles(config.dataFolder, secret !== null && "path" in secret ? secret.path : null),
    checkClock(clocks),
    ...others.flat(),
    ...services,
  ];
}

function settingFindings(warnings: readonly string[]): DoctorFinding[] {
  if (warnings.length === 0) return [finding("settings-good")];
  return warnings.map((warning) => finding("setting-doubtful", null, warning));
}

async function originsOf(
  { config, connect }: LookAroundParts,
  { store, project }: DoctorData,
  port: number,
): Promise<DoctorFinding[]> {
  const own = ownOriginsOf(config, port);
  const named = config.origins ?? (await store.projects.settings(project.id)).origins;
  const serverUrl = config.publicUrl?.href ?? [...own][0] ?? "";
  return checkOrigins({
    origins: named.filter((origin) => !own.has(origin)),
    vapidKeys: project.keys.all.map(({ publicKey }) => publicKey),
    checkSite: createSiteCheck({
      serverUrl,
      ownOrigins: new Set([...own, ...(config.origins ?? [])]),
      ...(connect === undefined ? {} : { connect }),
    }),
  });
}

async function heldDelivery(data: DoctorData | null): Promise<DoctorFinding[]> {
  const hold = (await data?.store.hold.find()) ?? null;
  if (hold === null) return [];
  return [finding("delivery-held", hold.reason, new Date(hold.sinceMs).toISOString())];
}
