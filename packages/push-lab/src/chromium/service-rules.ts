import { refusedInText, type ServiceRules } from "../push-service/service-rules.ts";

/** Google's push service, as it behaves at any origin of its. */
export const googleService = (origin: string): ServiceRules => ({
  origin,
  longestTtlSeconds: 28 * 24 * 60 * 60,
  wrongVapidStatus: 403,
  accepted: ({ id, ttlSeconds, shortened }) => ({
    status: 201,
    headers: {
      location: `${origin}/message/${id}`,
      ...(shortened && { ttl: String(ttlSeconds) }),
    },
  }),
  refused: refusedInText,
});

/** Where development builds of Chromium have their subscriptions. */
export const chromiumService = googleService("https://jmt17.google.com");
