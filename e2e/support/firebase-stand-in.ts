import { randomBytes } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import type { PushLab } from "@sineta/push-lab";
import { firebaseConfig } from "../firebase/config.ts";
import { otherSender } from "./other-sender.ts";

/** What Firebase Cloud Messaging is told of a browser ("web" of a registration). */
export type FirebaseRegistration = {
  origin: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** The VAPID key that the page named. */
  applicationPubKey: string;
};

/** What Firebase's servers push for a message: the shape that Firebase's worker reads. */
export type FirebasePush = {
  notification?: { title: string; body: string };
  data?: Record<string, string>;
  fcmOptions?: { link: string };
};

/** Plays Firebase's servers to the real `firebase` package in a real browser. */
export type FirebaseStandIn = {
  /** Public half of the site's key pair, which the Firebase console makes ("Web Push certificates"). */
  vapidKey: string;
  /** Answers what that browser asks of Firebase from now on. */
  answer: (context: BrowserContext) => Promise<void>;
  /** Who is registered, by token, oldest first. */
  registrations: ReadonlyMap<string, FirebaseRegistration>;
  /** What was asked, oldest first: method and last word of the path, as `POST registrations`. */
  requests: readonly string[];
  /** Answers requests for a token, and for its deletion, with an internal error, until `recover`. */
  fail: () => void;
  recover: () => void;
  /** Pushes to the browser with that token, by way of the lab. Resolves to the push service's status. */
  push: (token: string, push: FirebasePush) => Promise<number>;
};

/** `id` is the second word of the path, below the project: of what is asked for. */
type Asked = { headers: Record<string, string>; body: string; id: string };
type Answer = { status: number; body: unknown };

/**
 * A stand-in for Firebase's servers, since the real ones are out of reach of a test: Firebase Installations and the
 * registrations of Firebase Cloud Messaging, both version 1 of their REST interface, as far as the package's
 * `getToken` and `deleteToken` use them.
 */
export function createFirebaseStandIn(lab: PushLab): FirebaseStandIn {
  const sender = otherSender(lab);
  const registrations = new Map<string, FirebaseRegistration>();
  const requests: string[] = [];
  const refreshTokens = new Set<string>();
  const authTokens = new Set<string>();
  let failing = false;

  function newAuthToken() {
    const token = secret();
    authTokens.add(token);
    return { token, expiresIn: "604800s" };
  }

  function registered(token: string, body: string): Answer {
    const { web } = JSON.parse(body);
    registrations.set(token, web);
    return { status: 200, body: { name: `${projectName}/registrations/${token}`, token, web } };
  }

  const routes: Record<string, (asked: Asked) => Answer> = {
    "POST installations": ({ body }) => {
      const { fid } = JSON.parse(body);
      const refreshToken = secret();
      refreshTokens.add(refreshToken);
      const name = `${projectName}/installations/${fid}`;
      return { status: 200, body: { name, fid, refreshToken, authToken: newAuthToken() } };
    },
    "POST authTokens:generate": ({ headers }) =>
      refreshTokens.has(headers["authorization"]?.replace(/^FIS_v2 /, "") ?? "")
        ? { status: 200, body: newAuthToken() }
        : unauthenticated,
    "POST registrations": ({ body }) => (failing ? internal : registered(newToken(), body)),
    "PATCH registrations": ({ id, body }) =>
      registrations.has(id) ? registered(id, body) : notFound,
    "DELETE registrations": ({ id }) =>
      failing ? internal : registrations.delete(id) ? { status: 200, body: {} } : notFound,
  };

  function answerTo(method: string, path: string, headers: Asked["headers"], body: string): Answer {
    const [, project, things = "", id = "", more = things] = path.split(/\/v1\/projects\/|\//);
    requests.push(`${method} ${more}`);
    if (headers["x-goog-api-key"] !== firebaseConfig.apiKey) return unauthenticated;
    const auth = headers["x-goog-firebase-installations-auth"]?.replace(/^FIS /, "") ?? "";
    if (things === "registrations" && !authTokens.has(auth)) return unauthenticated;
    const route = project === firebaseConfig.projectId ? routes[`${method} ${more}`] : undefined;
    return route?.({ headers, body, id }) ?? notFound;
  }

  return {
    vapidKey: sender.vapidKey,
    registrations,
    requests,
    fail: () => {
      failing = true;
    },
    recover: () => {
      failing = false;
    },
    async answer(context) {
      // The package names these hosts and port 443 in full; no test can listen there.
      await context.route(hosts, async (route, request) => {
        const headers = await request.allHeaders();
        const { pathname } = new URL(request.url());
        const sent = request.postData() ?? "";
        const { status, body } = answerTo(request.method(), pathname, headers, sent);
        await route.fulfill({
          status,
          json: body,
          headers: { "access-control-allow-origin": headers["origin"] ?? "" },
        });
      });
    },
    async push(token, push) {
      const registration = registrations.get(token);
      if (!registration) throw new Error(`No browser is registered as ${token}`);
      const { endpoint, p256dh, auth } = registration;
      const sent = { from: firebaseConfig.messagingSenderId, fcmMessageId: secret(), ...push };
      return sender.send({ endpoint, keys: { p256dh, auth } }, JSON.stringify(sent));
    },
  };
}

const hosts = /^https:\/\/(firebaseinstallations|fcmregistrations)\.googleapis\.com\//;
const projectName = "projects/123456789012";

const unauthenticated = problem(401, "UNAUTHENTICATED", "Request had invalid credentials.");
const notFound = problem(404, "NOT_FOUND", "Requested entity was not found.");
const internal = problem(500, "INTERNAL", "Internal error encountered.");

/** An error as Google's interfaces answer it (google.rpc.Status, in JSON). */
function problem(code: number, status: string, message: string): Answer {
  return { status: code, body: { error: { code, message, status } } };
}

/** As long and as odd as Firebase's own, which hold a colon. */
function newToken(): string {
  return `${secret().slice(0, 22)}:APA91b${randomBytes(100).toString("base64url")}`;
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}
