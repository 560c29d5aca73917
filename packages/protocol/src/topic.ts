import { z } from "zod";

/** A topic's name. Not `.` and `..`: it is a part of addresses, and there they mean another place. */
export const topicNameSchema = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,64}$/, "1 to 64 of A-Z a-z 0-9 _ . ~ -, not . or ..");

/**
 * Who may put a registration into a topic. `open`: any visitor, for the own browser. `kept`: the site's backend
 * alone, by naming the topic in a user token, or the operator. Everybody may leave either.
 */
export const topicPolicySchema = z.enum(["open", "kept"]);
export type TopicPolicy = z.infer<typeof topicPolicySchema>;
