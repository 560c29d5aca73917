import { z } from "zod";
import { limits } from "./limits.ts";
import { textExpected, textFlaw, textRules } from "./text.ts";
import { topicNameSchema } from "./topic.ts";

/** What the site's own users are called here: whatever the site calls them. */
export const userIdSchema = z
  .string()
  .min(1, { abort: true })
  .max(limits.userIdCharacters, { abort: true })
  // An operator reads it. It is not trimmed, because that would be another id.
  .refine((id) => textFlaw(id, textRules.userId) === null, textExpected(textRules.userId))
  .describe("The site's own id of the user.");

/**
 * The claims of a user token: a JWT (RFC 7519), signed by the site's backend with HS256 and the project's user key,
 * which binds a registration to a user of the site. `exp` is at most 24 hours ahead. Null in `topics`, `nbf` and `iat` is as their absence.
 */
export const userTokenClaimsSchema = z.object({
  sub: userIdSchema.describe("The site's own id of the user."),
  exp: z.number().describe("Seconds since 1970; a fraction is allowed (RFC 7519, section 2)."),
  topics: z
    .array(topicNameSchema)
    .max(limits.topicsPerRequest)
    .optional()
    .describe(
      "The kept topics that the user's browsers are in, from now on these and no others. Without it, nothing changes.",
    ),
});
export type UserTokenClaims = z.infer<typeof userTokenClaimsSchema>;
