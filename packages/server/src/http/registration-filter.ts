import { z } from "@hono/zod-openapi";
import {
  browserSchema,
  languageSchema,
  pushServiceSchema,
  registrationStateSchema,
  systemSchema,
} from "@sineta/protocol";
import type { RegistrationFilter, TopicStore } from "../store/port.ts";
import { pushHostsOf } from "../webpush/push-hosts.ts";
import { HttpProblem } from "./problem.ts";

/** Query of the list of registrations and of their export: a registration has to be all that is given. */
export const registrationFilterQuery = {
  state: registrationStateSchema.optional().describe("Only registrations in this state."),
  pushService: pushServiceSchema.optional().describe("Only registrations at this push service."),
  browser: browserSchema.optional().describe("Only registrations of this browser."),
  system: systemSchema.optional().describe("Only registrations on this system."),
  language: languageSchema
    .optional()
    .describe("Only registrations in this language, such as `pt`."),
  topic: z.string().optional().describe("A topic's name."),
  user: z
    .string()
    .min(1)
    .optional()
    .describe("Only registrations of the user with this id of the site."),
  token: z.string().min(1).optional().describe("Only the registration with this token."),
};

const filterSchema = z.object(registrationFilterQuery);

export type FilterParts = { topics: Pick<TopicStore, "find"> };

/** @throws HttpProblem `topic-unknown` */
export async function registrationFilterOf(
  { topics }: FilterParts,
  projectId: number,
  { topic, user, pushService, ...filter }: z.infer<typeof filterSchema>,
): Promise<RegistrationFilter> {
  const found = topic === undefined ? undefined : await topics.find(projectId, topic);
  if (found === null) throw new HttpProblem("topic-unknown");
  return {
    ...filter,
    userId: user,
    topicId: found?.id,
    pushHosts: pushService === undefined ? undefined : pushHostsOf(pushService),
  };
}
