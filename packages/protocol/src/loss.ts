import { z } from "zod";

/** Why pushes no longer reached a browser that the server had confirmed. The browser tells it (client/src/loss.ts). */
export const lossCauseSchema = z.enum([
  "worker-missing",
  "worker-replaced",
  "subscription-missing",
  "subscription-changed",
  "key-changed",
  "subscription-gone",
  "registration-unknown",
  "registration-outdated",
]);
export type LossCause = z.infer<typeof lossCauseSchema>;

const meanings =
  "`worker-missing`: no service worker held the scope. `worker-replaced`: another script held it. `subscription-missing`: the browser had dropped the subscription. `subscription-changed`: it held another one. `key-changed`: the page had another VAPID key. `subscription-gone`: the push service had ended the subscription, and the browser kept it. `registration-unknown`: the server did not know the registration. `registration-outdated`: the server knew another subscription.";

/** A cause that the browser told; `gone`: the push service ended the subscription, and the browser told no cause. */
export const returnCauseSchema = z
  .enum([...lossCauseSchema.options, "gone"])
  .describe(
    `The cause that the browser told. ${meanings} \`gone\`: the push service ended the subscription, and the browser told no cause.`,
  );
export type ReturnCause = z.infer<typeof returnCauseSchema>;

/** Answer of `GET /v1/projects/{project}/audience/losses`. */
export const audienceLossesSchema = z
  .object({
    losses: z
      .array(
        z.object({
          cause: z
            .enum([...returnCauseSchema.options, "left", "removed"])
            .describe(
              `\`left\`: the browser left. \`removed\`: an operator removed the registration. \`gone\`: the push service ended the subscription, and the browser has told no cause. All others: the browser told that cause when it came back, even if the server knew of no loss. ${meanings}`,
            ),
          lost: z
            .int()
            .describe(
              "Losses of these days. A loss counts on the day of the 404 or 410. If there was none, it counts on the day on which the browser told it.",
            ),
          returned: z
            .int()
            .describe(
              "Those of them from which the registration has come back. None of `left` and `removed`: these browsers come back as new registrations.",
            ),
        }),
      )
      .describe("Each cause of these days, the most frequent first."),
  })
  .meta({ id: "AudienceLosses" });
export type AudienceLosses = z.infer<typeof audienceLossesSchema>;
