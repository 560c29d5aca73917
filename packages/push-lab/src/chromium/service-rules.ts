import { refusedInText, type ServiceRules } from "../push-service/service-rules.ts";

/** The push service that development builds of Chromium use, as Google's servers behave. */
export const chromiumService: ServiceRules = {
  origin: "https://jmt17.google.com",
  longestTtlSeconds: 28 * 24 * 60 * 60,
  wrongVapidStatus: 403,
  accepted: ({ id, ttlSeconds, shortened }) => ({
    status: 201,
    headers: {
      location: `${chromiumService.origin}/message/${id}`,
      ...(shortened && { ttl: String(ttlSeconds) }),
    },
  }),
  refused: refusedInText,
};
