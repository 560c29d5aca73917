import { randomBytes } from "node:crypto";
import { projectConfigSchema, registrationResponseSchema } from "@sineta/protocol";
import type { Sink } from "@sineta/push-lab";
import type { SinetaServer } from "./server.ts";

const atOnce = 50;

/**
 * Registers browsers that are not there, over HTTP as their pages would: the sink takes what is pushed to them. Gives their tokens.
 * @param names of the endpoints, one for each
 * @param page origin of the page that they register on
 */
export async function registerCrowd(
  server: SinetaServer,
  sink: Sink,
  origin: string,
  names: readonly string[],
  page = new URL(server.url).origin,
): Promise<string[]> {
  const at = (path: string) => new URL(`/v1/projects/default/${path}`, server.url);
  const { vapidKey } = projectConfigSchema.parse(await (await fetch(at("config"))).json());
  const register = async (name: string): Promise<string> => {
    const answer = await fetch(at("registrations"), {
      method: "POST",
      headers: {
        Origin: page,
        "Content-Type": "application/json",
        "Sineta-Client-Secret": randomBytes(32).toString("base64url"),
      },
      body: JSON.stringify({ subscription: sink.subscription(origin, name), vapidKey }),
    });
    return registrationResponseSchema.parse(await answer.json()).token;
  };
  const tokens: string[] = [];
  for (let from = 0; from < names.length; from += atOnce) {
    tokens.push(...(await Promise.all(names.slice(from, from + atOnce).map(register))));
  }
  return tokens;
}
