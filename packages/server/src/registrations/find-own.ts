import type { ActiveProject } from "../projects/project.ts";
import type { KnownRegistration, RegistrationStore } from "../store/port.ts";
import { clientSecretMatches, hashClientSecret } from "./client-secret.ts";

/**
 * The registration of the browser that asks, live or gone. Null if it is unknown, has left, or belongs to another
 * secret: these are not told apart.
 */
export async function findOwn(
  store: RegistrationStore,
  { project, token, clientSecret }: { project: ActiveProject; token: string; clientSecret: string },
): Promise<KnownRegistration | null> {
  const registration = await store.find(project.id, token);
  const given = hashClientSecret(clientSecret);
  const matches = clientSecretMatches(registration?.clientSecretHash ?? null, given);
  return matches ? registration : null;
}
