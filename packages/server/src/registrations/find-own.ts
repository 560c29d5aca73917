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
  return registration !== null && isOwn(registration, { clientSecret }) ? registration : null;
}

/** Whether the registration is that of the browser with this secret. */
export function isOwn(
  { clientSecretHash }: Pick<KnownRegistration, "clientSecretHash">,
  { clientSecret }: { clientSecret: string },
): boolean {
  return clientSecretMatches(clientSecretHash, hashClientSecret(clientSecret));
}
