import type {
  clientSecretHeader,
  LookResponse,
  Problem,
  RegistrationRequest,
  RegistrationResponse,
} from "@sineta/protocol";
import { failingAs, MessagingError } from "./errors.ts";
import { type ConfirmedIdentity, type Identity, keepConfirmed } from "./storage/identities.ts";

const secretHeader: typeof clientSecretHeader = "Sineta-Client-Secret";

/** The browser's own JSON of a subscription: endpoint and keys are always there, though its type says less. */
type RequestBody = Omit<RegistrationRequest, "subscription"> & {
  subscription: PushSubscriptionJSON;
};

/** The longest wait for the server, so that a silent one is not waited for in vain. */
const serverTimeoutMs = 20_000;
/** A page that asks for a token may wait for a look first, and is to have its token within 20 s all the same. */
const lookTimeoutMs = 5_000;

/**
 * Tells the server of this browser's subscription, of the loss that this heals, and of `more` where there is any; keeps
 * what it confirmed, and resolves to the token.
 *
 * @throws MessagingError `server-unreachable`, `server-refused` (with the server's code as `problem`), `storage-failed`
 */
export async function register(
  identity: Identity,
  subscription: PushSubscription,
  vapidKey: string,
  more?: Pick<RegistrationRequest, "userToken">,
): Promise<string> {
  const { confirmed, lost } = identity;
  const body: RequestBody = {
    subscription: subscription.toJSON(),
    vapidKey,
    token: confirmed?.token,
    loss: confirmed && lost && { cause: lost, confirmedAtMs: confirmed.atMs },
    locale: navigator.language || undefined,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...more,
  };
  const answer = await call(identity, "POST", "", JSON.stringify(body));
  const token = await failingAs("server-unreachable", async () => {
    const { token: given }: Partial<RegistrationResponse> = await answer.json();
    if (typeof given !== "string") throw new Error("No token");
    return given;
  });
  await keepConfirmed(identity, {
    token,
    endpoint: subscription.endpoint,
    vapidKey,
    atMs: Date.now(),
  });
  return token;
}

/**
 * Calls the server about the registration itself, or about `part` of it, such as `/topics/offers`.
 *
 * @throws MessagingError `not-registered`, `server-unreachable`, `server-refused` (with the server's code as `problem`)
 */
export async function callRegistration(
  identity: Identity | undefined,
  method: "PUT" | "POST" | "DELETE",
  part = "",
): Promise<void> {
  if (!identity?.confirmed) throw new MessagingError("not-registered");
  await call(identity, method, `/${identity.confirmed.token}${part}`);
}

/**
 * Asks how the server knows this browser. If the server refuses, there is no `state`. Rejects if the server does not answer.
 * The browser sends a string as text/plain, and so without a preflight (Fetch standard, "CORS-safelisted
 * request-header").
 */
export async function look({
  registrationsUrl,
  clientSecret,
  confirmed,
}: ConfirmedIdentity): Promise<LookResponse | { state?: undefined }> {
  const answer = await fetch(registrationsUrl + `/${confirmed.token}/look`, {
    method: "POST",
    body: clientSecret,
    priority: "low",
    signal: timeout(lookTimeoutMs),
  });
  return answer.ok ? answer.json() : {};
}

async function call(
  { registrationsUrl, clientSecret }: Identity,
  method: string,
  path: string,
  body: string | null = null,
): Promise<Response> {
  const answer = await failingAs("server-unreachable", () =>
    fetch(registrationsUrl + path, {
      method,
      body,
      headers: { [secretHeader]: clientSecret, "Content-Type": "application/json" },
      signal: timeout(serverTimeoutMs),
    }),
  );
  if (answer.ok) return answer;
  const problem: Partial<Problem> | null = await answer.json().catch(() => null);
  throw new MessagingError("server-refused", { problem: problem?.code ?? `HTTP ${answer.status}` });
}

/** As `AbortSignal.timeout()`, which is younger than web push. */
function timeout(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
