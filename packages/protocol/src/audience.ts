import { z } from "zod";
import { returnCauseSchema } from "./loss.ts";
import { topicSchema } from "./topic.ts";
import { receiptEventSchema } from "./receipt.ts";
import { pushServiceSchema } from "./push-service.ts";

/** A browser, as its registration named it. `other`: one that has no name here; `unknown`: it named none. */
export const browserSchema = z
  .enum(["chrome", "edge", "firefox", "safari", "opera", "samsung", "other", "unknown"])
  .describe(
    "The browser, as it named itself. `other`: one that has no name here; `unknown`: it named none.",
  );
export type BrowserName = z.infer<typeof browserSchema>;

/** The system that a browser runs on. `other` and `unknown` as above. */
export const systemSchema = z
  .enum(["windows", "macos", "linux", "android", "ios", "chromeos", "other", "unknown"])
  .describe(
    "The system that the browser runs on. `other`: one that has no name here; `unknown`: it named none.",
  );
export type SystemName = z.infer<typeof systemSchema>;

/** The first part of a BCP 47 tag in lower case; `other`: one that is none; `unknown`: it named none. */
export const languageSchema = z
  .string()
  .regex(/^([a-z]{2,3}|other|unknown)$/, "two or three lower-case letters, other or unknown");

/** `live`: it can be reached. `left`: its browser left. `gone`: the push service ended it. `removed`: an operator did. */
export const registrationStateSchema = z
  .enum(["live", "left", "gone", "removed"])
  .describe(
    "`live`: it can be reached. `left`: its browser left. `gone`: the push service ended it. `removed`: an operator did.",
  );
export type RegistrationState = z.infer<typeof registrationStateSchema>;

/** Answer of `GET /v1/projects/{project}/audience`: live registrations, those with the most first. */
export const audienceSchema = z
  .object({
    live: z.int().describe("Registrations that can be reached."),
    byPushService: z
      .array(
        z.object({
          pushService: pushServiceSchema,
          registrations: z.int().describe("Live registrations."),
        }),
      )
      .describe("Live registrations of each push service."),
    byBrowser: z
      .array(
        z.object({
          browser: browserSchema,
          registrations: z.int().describe("Live registrations."),
        }),
      )
      .describe("Live registrations of each browser."),
    bySystem: z
      .array(
        z.object({ system: systemSchema, registrations: z.int().describe("Live registrations.") }),
      )
      .describe("Live registrations of each system."),
    byLanguage: z
      .array(
        z.object({
          language: z
            .string()
            .describe(
              "First part of the BCP 47 tag in lower case, such as `pt`; `other` or `unknown`.",
            ),
          registrations: z.int().describe("Live registrations."),
        }),
      )
      .describe("The most frequent; `other` has the rest."),
  })
  .meta({ id: "Audience" });
export type Audience = z.infer<typeof audienceSchema>;

/** A day of UTC. */
const dayFiguresSchema = z.object({
  day: z.iso.date().describe("The day, such as 2026-12-01."),
  registered: z.int().describe("New registrations."),
  returned: z.int().describe("Registrations that had been gone and came back under their token."),
  renewed: z
    .int()
    .describe(
      "Live registrations that got another subscription from their browser. If the browser told a loss, `audience/losses` has it.",
    ),
  left: z.int().describe("Losses: the browser left."),
  gone: z.int().describe("Losses: the push service said that the subscription had ended."),
  removed: z.int().describe("Losses: an operator removed them."),
  live: z.int().describe("At the end of the day; of today: now."),
});
export type DayFigures = z.infer<typeof dayFiguresSchema>;

/** Answer of `GET /v1/projects/{project}/audience/days`. */
export const audienceDaysSchema = z
  .object({
    days: z.array(dayFiguresSchema).describe("Each day from the first to the last one asked for."),
  })
  .meta({ id: "AudienceDays" });
export type AudienceDays = z.infer<typeof audienceDaysSchema>;

/** A registration as operators see it: never its endpoint, nor its keys. */
const registrationSummarySchema = z.object({
  token: z.string().describe("The registration's token: what a message to it names."),
  state: registrationStateSchema,
  pushService: pushServiceSchema,
  browser: browserSchema,
  system: systemSchema,
  language: z
    .string()
    .describe("First part of the BCP 47 tag in lower case, such as `pt`; `other` or `unknown`."),
  origin: z.string().describe("Of the page that it was made on; empty where it is forgotten."),
  userId: z.string().optional().describe("The site's own id of the user that it is bound to."),
  registeredAt: z.iso.datetime().describe("When it was registered."),
  confirmedAt: z.iso
    .datetime()
    .describe(
      "When its browser last registered, confirmed it, or looked. A browser that looks is noted once a day.",
    ),
  endedAt: z.iso.datetime().optional().describe("When it ended; absent while it is live."),
});
export type RegistrationSummary = z.infer<typeof registrationSummarySchema>;

/** Answer of `GET /v1/projects/{project}/registrations`. */
export const registrationListSchema = z
  .object({
    registrations: z
      .array(registrationSummarySchema)
      .describe(
        "Newest first. There may be fewer than asked for, even none, and more behind `next`.",
      ),
    next: z
      .int()
      .optional()
      .describe("Hand it back as `before` for the ones before these; absent at the end."),
  })
  .meta({ id: "RegistrationList" });
export type RegistrationList = z.infer<typeof registrationListSchema>;

const messageRefSchema = {
  messageId: z.uuid().describe("The message's id."),
  title: z.string().describe("The notification's title."),
};
const at = z.iso.datetime().describe("When it happened.");

/** What is known to have happened to a registration. That a push was accepted is counted, and not kept for each. */
const registrationEventSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("registered").describe("It was registered."), at }),
  z.object({
    kind: z.literal("confirmed").describe("Its browser confirmed it; only the last time is kept."),
    at,
  }),
  z.object({
    kind: z
      .literal("renewed")
      .describe("It got another subscription from its browser; only the last time is kept."),
    at,
    times: z.int().describe("How often that has happened."),
  }),
  z.object({
    kind: z.literal("returned").describe("It came back after a loss; only the last time is kept."),
    at,
    cause: returnCauseSchema,
    goneAt: z.iso
      .datetime()
      .optional()
      .describe(
        "When the push service answered with 404 or 410; absent if the server knew of no loss.",
      ),
    times: z.int().describe("How often it was lost and came back."),
  }),
  z.object({
    kind: z.literal("joined").describe("It came into a topic."),
    at,
    topic: z.string().describe("The topic's name."),
  }),
  z.object({
    kind: z.literal("message").describe("A message that was not simply accepted."),
    at,
    ...messageRefSchema,
    outcome: z
      .enum(["accepted", "gone", "retry", "rejected", "failed"])
      .describe(
        "What became of the message. `accepted`: it was, after the registration had moved.",
      ),
    reason: z.string().describe('Why: a code of docs/operating.md, "Reasons".'),
    detail: z.string().describe("What the push service said, or what came instead of an answer."),
    attempts: z.int().describe("How often the push was tried."),
  }),
  z.object({
    kind: z.literal("receipt").describe("Its browser reported what became of a notification."),
    at,
    ...messageRefSchema,
    event: receiptEventSchema,
    action: z
      .string()
      .optional()
      .describe("The button that was clicked; absent for a click on the notification itself."),
  }),
  z.object({
    kind: z
      .literal("refused")
      .describe(
        "Since then the push service refuses what is sent to it, though it takes what is sent to others.",
      ),
    at,
  }),
  z.object({
    kind: z.literal("ended").describe("It ended."),
    at,
    state: registrationStateSchema.exclude(["live"]).describe("Why it ended."),
  }),
]);
export type RegistrationEvent = z.infer<typeof registrationEventSchema>;

/** Answer of `GET /v1/projects/{project}/registrations/{token}`. */
export const registrationStorySchema = registrationSummarySchema
  .extend({
    locale: z.string().optional().describe("The BCP 47 tag as its browser gave it."),
    timeZone: z
      .string()
      .optional()
      .describe("IANA name of its time zone; absent if its browser named none."),
    generation: z.int().describe("Counts its subscriptions, from 1 on."),
    topics: z.array(topicSchema).describe("Topics that it is in."),
    events: z.array(registrationEventSchema).describe("Oldest first."),
    more: z.boolean().describe("Whether there were more messages and receipts before these."),
  })
  .meta({ id: "RegistrationStory" });
export type RegistrationStory = z.infer<typeof registrationStorySchema>;
