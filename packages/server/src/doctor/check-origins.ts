import type { DoctorFinding, FindingCode } from "@sineta/protocol";
import type { CheckSite } from "../site-check/check-site.ts";
import { finding } from "./finding.ts";

/** Each takes some twenty requests. */
const mostOrigins = 20;

export type OriginParts = {
  /** Those of pages beside Sineta's own. */
  origins: readonly string[];
  vapidKeys: readonly string[];
  checkSite: CheckSite;
};

/** Looks at the first page of each origin for what the bell needs. */
export async function checkOrigins({
  origins,
  vapidKeys,
  checkSite,
}: OriginParts): Promise<DoctorFinding[]> {
  if (origins.length === 0) return [finding("origins-own")];
  const more = origins.length - mostOrigins;
  const looked = await Promise.all(
    origins.slice(0, mostOrigins).map(async (origin) => {
      const { findings } = await checkSite(new URL(origin), { vapidKeys });
      const lacks = findings.filter(({ state }) => state === "missing");
      const isUnseen = (what: FindingCode) =>
        findings.some(({ code, state }) => code === what && state === "unknown");
      const page = lacks.find(({ code }) => code === "page-reachable");
      if (isUnseen("page-reachable")) return finding("origin-local", origin);
      if (page !== undefined) return finding("origin-silent", origin, page.seen ?? page.reason);
      const seen = lacks.map(({ code, reason }) => `${code} (${reason})`).join(", ");
      if (lacks.length > 0) return finding("origin-lacks", origin, seen);
      return finding(isUnseen("worker-reachable") ? "origin-local" : "origin-good", origin);
    }),
  );
  return more > 0 ? [...looked, finding("origins-more", null, String(more))] : looked;
}
