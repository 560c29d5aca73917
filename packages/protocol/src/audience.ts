import { z } from "zod";
import { topicPolicySchema } from "./topic.ts";
import { receiptEventSchema } from "./receipt.ts";
import { pushServiceSchema } from "./push-service.ts";

/** A browser, as its registration named it. `other`: one that has no name here; `unknown`: it named none. */
export const browserSchema = z.enum([
  "chrome",
  "edge",
  "firefox",
  "safari",
  "opera",
  "samsung",
  "other",
  "unknown",
]);
export type BrowserName = z.infer<typeof browserSchema>;

/** The system that a browser runs on. `other` and `unknown` as above. */
export const systemSchema = z.enum([
  "windows",
  "macos",
  "linux",
  "android",
  "ios",
  "chromeos",
  "other",
  "unknown",
]);
export type SystemName = z.infer<typeof systemSchema>;

/** The first part of a BCP 47 tag in lower case; `other`: one that is none; `unknown`: it named none. */
export const languageSchema = z.string().regex(/^([a-z]{2,3}|other|unknown)$/);

/** `live`: it can be reached. `left`: its browser left. `gone`: the push service ended it. `removed`: an operator did. */
export const registrationStateSchema = z.enum(["live", "left", "gone", "removed"]);
export type RegistrationState = z.infer<typeof registrationStateSchema>;

/** Answer of `GET /v1/projects/{project}/audience`: live registrations, those with the most first. */
export const audienceSchema = z
  .object({
    live: z.int(),
    byPushService: z.array(z.object({ pushService: pushServiceSchema, registrations: z.int() })),
    byBrowser: z.array(z.object({ browser: browserSchema, registrations: z.int() })),
    bySystem: z.array(z.object({ system: systemSchema, registrations: z.int() })),
    /** The most frequent; `other` has the rest. */
    byLanguage: z.array(z.object({ language: z.string(), registrations: z.int() })),
  })
  .meta({ id: "Audience" });
export type Audience = z.infer<typeof audienceSchema>;

/** A day of UTC. */
const dayFiguresSchema = z.object({
  day: z.iso.date(),
  /** New registrations. */
  registered: z.int(),
  /** Registrations that had been gone and came back under their token. */
  returned: z.int(),
  /** Live registrations that got another subscription from their browser: nobody is lost by that. */
  renewed: z.int(),
  /** Losses: the browser left. */
  left: z.int(),
  /** Losses: the push service said that the subscription had ended. */
  gone: z.int(),
  /** Losses: an operator removed them. */
  removed: z.int(),
  /** At the end of the day; of today: now. */
  live: z.int(),
});
export type DayFigures = z.infer<typeof dayFiguresSchema>;

/** Answer of `GET /v1/projects/{project}/audience/days`. */
export const audienceDaysSchema = z
  .object({
    /** Each day from the first to the last one asked for. */
    days: z.array(dayFiguresSchema),
  })
  .meta({ id: "AudienceDays" });
export type AudienceDays = z.infer<typeof audienceDaysSchema>;

/** A registration as operators see it: never its endpoint, nor its keys. */
const registrationSummarySchema = z.object({
  token: z.string(),
  state: registrationStateSchema,
  pushService: pushServiceSchema,
  browser: browserSchema,
  system: systemSchema,
  language: z.string(),
  /** Of the page that it was made on; empty where it is forgotten. */
  origin: z.string(),
  /** The site's own id of the user that it is bound to. */
  userId: z.string().optional(),
  registeredAt: z.iso.datetime(),
  /** When its browser last confirmed it. */
  confirmedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
});
export type RegistrationSummary = z.infer<typeof registrationSummarySchema>;

/** Answer of `GET /v1/projects/{project}/registrations`. */
export const registrationListSchema = z
  .object({
    /** Newest first. There may be fewer than asked for, even none, and more behind `next`. */
    registrations: z.array(registrationSummarySchema),
    /** Hand it back as `before` for the ones before these; absent at the end. */
    next: z.int().optional(),
  })
  .meta({ id: "RegistrationList" });
export type RegistrationList = z.infer<typeof registrationListSchema>;

const messageRefSchema = { messageId: z.uuid(), title: z.string() };
const at = z.iso.datetime();

/** What is known to have happened to a registration. That a push was accepted is counted, and not kept for each. */
const registrationEventSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("registered"), at }),
  /** Its browser confirmed it; only the last time is kept. */
  z.object({ kind: z.literal("confirmed"), at }),
  /** It got another subscription; only the last time is kept, and how often there was one. */
  z.object({ kind: z.literal("renewed"), at, times: z.int() }),
  z.object({ kind: z.literal("joined"), at, topic: z.string() }),
  /** A message that was not simply accepted. `accepted`: it was, after the registration had moved. */
  z.object({
    kind: z.literal("message"),
    at,
    ...messageRefSchema,
    outcome: z.enum(["accepted", "gone", "retry", "rejected", "failed"]),
    reason: z.string(),
    /** What the push service said, or what came instead of an answer. */
    detail: z.string(),
    attempts: z.int(),
  }),
  z.object({
    kind: z.literal("receipt"),
    at,
    ...messageRefSchema,
    event: receiptEventSchema,
    action: z.string().optional(),
  }),
  /** Since then the push service refuses what is sent to it, though it takes what is sent to others. */
  z.object({ kind: z.literal("refused"), at }),
  z.object({ kind: z.literal("ended"), at, state: registrationStateSchema.exclude(["live"]) }),
]);
export type RegistrationEvent = z.infer<typeof registrationEventSchema>;

/** Answer of `GET /v1/projects/{project}/registrations/{token}`. */
export const registrationStorySchema = registrationSummarySchema
  .extend({
    /** The BCP 47 tag as its browser gave it. */
    locale: z.string().optional(),
    timeZone: z.string().optional(),
    /** Counts its subscriptions, from 1 on. */
    generation: z.int(),
    topics: z.array(z.object({ name: z.string(), policy: topicPolicySchema })),
    /** Oldest first. */
    events: z.array(registrationEventSchema),
    /** Whether there were more messages and receipts before these. */
    more: z.boolean(),
  })
  .meta({ id: "RegistrationStory" });
export type RegistrationStory = z.infer<typeof registrationStorySchema>;
