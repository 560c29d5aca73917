import type {
  clientSecretHeader,
  Problem,
  RegistrationRequest,
  RegistrationResponse,
} from "@sineta/protocol";
import { failingAs, MessagingError } from "./errors.ts";
import { type Identity, keepIdentity } from "./storage/identities.ts";

const secretHeader: typeof clientSecretHeader = "Sineta-Client-Secret";

/** The longest wait for the server, so that a silent one is not waited for in vain. */
const serverTimeoutMs = 20_000;

/**
 * Tells the server of this browser's subscription, keeps what it confirmed, and resolves to the token.
 *
 * @throws MessagingError `server-unreachable`, `server-refused` (with the server's code as `problem`)
 */
export async function register(
  identity: Identity,
  subscription: PushSubscription,
  vapidKey: string,
): Promise<string> {
  const { registrationsUrl, clientSecret, confirmed } = identity;
  const { endpoint, keys } = subscription.toJSON();
  const body: RegistrationRequest = {
    subscription: {
      endpoint: endpoint ?? subscription.endpoint,
      keys: { p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" },
    },
    vapidKey,
    ...(confirmed && { token: confirmed.token }),
    ...(navigator.language && { locale: navigator.language }),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const answer = await call(registrationsUrl, clientSecret, "POST", JSON.stringify(body));
  const { token }: RegistrationResponse = await failingAs("server-unreachable", () =>
    answer.json(),
  );
  await keepIdentity({
    registrationsUrl,
    clientSecret,
    confirmed: { token, endpoint: subscription.endpoint, vapidKey, atMs: Date.now() },
  });
  return token;
}

/**
 * Tells the server that this browser leaves.
 *
 * @throws MessagingError `server-unreachable`, `server-refused`
 */
export async function unregister(identity: Identity): Promise<void> {
  const { registrationsUrl, clientSecret, confirmed } = identity;
  if (confirmed) await call(`${registrationsUrl}/${confirmed.token}`, clientSecret, "DELETE");
}

async function call(
  url: string,
  clientSecret: string,
  method: string,
  body?: string,
): Promise<Response> {
  const answer = await failingAs("server-unreachable", () =>
    fetch(url, {
      method,
      ...(body && { body }),
      headers: { [secretHeader]: clientSecret, "Content-Type": "application/json" },
      signal: AbortSignal.timeout(serverTimeoutMs),
    }),
  );
  if (answer.ok) return answer;
  const problem: Partial<Problem> = await answer.json().catch(() => ({}));
  throw new MessagingError("server-refused", { problem: problem.code ?? `HTTP ${answer.status}` });
}
