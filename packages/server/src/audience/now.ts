import type { Audience, PushServiceName } from "@sineta/protocol";
import { inOrder } from "../messages/by-push-service.ts";
import type { AudienceNow } from "../store/port.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";

/** Beyond these, languages are counted together. */
const namedLanguages = 20;

/** The figures as they are told. */
export function audienceBody({
  live,
  byPushOrigin,
  byBrowser,
  bySystem,
  byLanguage,
}: AudienceNow): Audience {
  const services = new Map<PushServiceName, Audience["byPushService"][number]>();
  for (const [pushOrigin, count] of byPushOrigin) {
    const pushService = pushServiceOf(pushOrigin);
    const registrations = (services.get(pushService)?.registrations ?? 0) + count;
    services.set(pushService, { pushService, registrations });
  }
  return {
    live,
    byPushService: inOrder(services),
    byBrowser: [...byBrowser].map(([browser, registrations]) => ({ browser, registrations })),
    bySystem: [...bySystem].map(([system, registrations]) => ({ system, registrations })),
    byLanguage: frequent(byLanguage),
  };
}

/** Most first; what is not named is at the end. */
function frequent(byLanguage: ReadonlyMap<string, number>): Audience["byLanguage"] {
  const tags = [...byLanguage].filter(([language]) => language.length <= 3);
  const rest = tags.slice(namedLanguages).reduce((sum, [, count]) => sum + count, 0);
  const other = rest + (byLanguage.get("other") ?? 0);
  const unknown = byLanguage.get("unknown") ?? 0;
  return [
    ...tags.slice(0, namedLanguages),
    ...(other === 0 ? [] : [["other", other] as const]),
    ...(unknown === 0 ? [] : [["unknown", unknown] as const]),
  ].map(([language, registrations]) => ({ language, registrations }));
}
