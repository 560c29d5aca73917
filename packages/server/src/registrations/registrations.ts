import {
  limits,
  lossCauseSchema,
  type HttpErrorCode,
  type LookResponse,
  type Problem,
  type RegistrationRequest,
} from "@sineta/protocol";
import { textFlaw, type TextRule } from "@sineta/protocol/text";
import type { ActiveProject } from "../projects/project.ts";
import { sha256 } from "../secrets/sha256.ts";
import type { MembershipRefusal, RegistrationStore, ToldLoss } from "../store/port.ts";
import { isStorageFull } from "../store/storage-full.ts";
import {
  checkEndpoint,
  endpointRefusals,
  withoutHttpsPort,
  type EndpointPolicy,
} from "../webpush/endpoint.ts";
import { parsePushKeys } from "../webpush/seal.ts";
import { browserOf } from "./browser-of.ts";
import { hashClientSecret } from "./client-secret.ts";
import { findOwn, isOwn } from "./find-own.ts";
import { requestedMembership } from "./requested-membership.ts";
import { decide } from "./rules.ts";
import { ianaZone } from "./time-zone.ts";
import type { UnknownKeys } from "./unknown-keys.ts";

export type RegisterInput = {
  project: ActiveProject;
  /** Origin of the page that asks; one of the project's. */
  origin: string;
  /** 32 bytes, base64url. */
  clientSecret: string;
  /** The header of the request; undefined without one. */
  userAgent: string | undefined;
  body: RegistrationRequest;
};

export type RegisterResult =
  | { kind: "new" | "known"; token: string }
  /** `fields`: what is wrong where, if that is known. None repeats the endpoint or a claim, which are secrets. */
  | { kind: "error"; code: HttpErrorCode; fields?: NonNullable<Problem["fields"]> };

/** How a browser names its registration. */
type Own = { project: ActiveProject; token: string; clientSecret: string };

const dayMs = 24 * 60 * 60 * 1000;
/** Enough of an endpoint's hash to tell one browser's endpoints apart. */
const shownHashBytes = 9;

export type Registrations = {
  /**
   * Registers a browser's subscription by the rules of rules.ts. Once it has answered with a token, the
   * registration is durable. Error codes: `vapid-key-unknown`, `endpoint-not-allowed`,
   * `subscription-key-invalid`, `subscription-auth-invalid`, `registration-refused`, `subscription-gone`, `user-token-invalid`,
   * `user-token-expired`, `topic-unknown`, `topic-kept`, `quota-reached`: nothing is changed then.
   */
  register(input: RegisterInput): Promise<RegisterResult>;
  /**
   * How the server knows the browser that asks. An unknown token, a wrong secret and a registration that has left have the same answer.
   * Writes at most once a day for each registration.
   */
  look(input: Own): Promise<LookResponse>;
  /** Whether there was such a registration; an unknown token and a wrong secret are not told apart. */
  unregister(input: Own): Promise<boolean>;
  /** Like `unregister`, and nothing is kept that could tell whose the registration was. */
  forget(input: Own): Promise<boolean>;
};

export function createRegistrations(parts: {
  store: RegistrationStore;
  endpointPolicy: EndpointPolicy;
  unknownKeys: Pick<UnknownKeys, "refused" | "accepted">;
  randomBytes: (count: number) => Uint8Array;
  now: () => number;
}): Registrations {
  const { store, endpointPolicy, unknownKeys, randomBytes, now } = parts;
  const newToken = () => Buffer.from(randomBytes(limits.tokenBytes)).toString("base64url");
  return {
    async register({ project, origin, clientSecret, userAgent, body }) {
      const { keys } = body.subscription;
      // The endpoint identifies the browser, so the server keeps one spelling.
      const endpoint = withoutHttpsPort(body.subscription.endpoint);
      const vapidKey = project.keys.all.find(({ publicKey }) => publicKey === body.vapidKey);
      const page = { projectId: project.id, origin };
      if (vapidKey === undefined) {
        unknownKeys.refused(page, body.vapidKey, project.keys.current.publicKey);
        return { kind: "error", code: "vapid-key-unknown" };
      }
      unknownKeys.accepted(page);
      const checked = checkEndpoint(endpoint, endpointPolicy);
      if (!checked.ok) {
        const fields = [
          { path: "subscription.endpoint", message: endpointRefusals[checked.reason] },
        ];
        return { kind: "error", code: "endpoint-not-allowed", fields };
      }
      const pushKeys = parsePushKeys(keys.p256dh, keys.auth);
      if (!pushKeys.ok) {
        const { key, reason } = pushKeys;
        const code = key === "auth" ? "subscription-auth-invalid" : "subscription-key-invalid";
        const fields = [{ path: `subscription.keys.${key}`, message: reason }];
        return { kind: "error", code, fields };
      }
      const requested = await requestedMembership(body, project.userKey, now());
      if (!requested.ok) {
        const { code } = requested;
        if (code === "user-token-expired") return { kind: "error", code };
        return { kind: "error", code, fields: [{ path: "userToken", message: requested.why }] };
      }
      const candidate = {
        projectId: project.id,
        endpoint,
        endpointHash: sha256(endpoint),
        p256dh: keys.p256dh,
        auth: keys.auth,
        vapidKeyId: vapidKey.id,
        pushOrigin: checked.target.origin,
        origin,
        locale: readableLocale(body.locale),
        timeZone: body.timeZone === undefined ? null : ianaZone(body.timeZone),
        ...browserOf(userAgent),
        clientSecretHash: hashClientSecret(clientSecret),
        earlierToken: body.token ?? null,
        newToken: newToken(),
        loss: toldLoss(body),
      };
      const result = await store.register(
        candidate,
        (found) => decide(candidate, found),
        now(),
        requested.membership,
      );
      if (result.kind === "refused") {
        return "topics" in result
          ? { kind: "error", code: result.code, fields: topicFields(body, result) }
          : { kind: "error", code: result.code };
      }
      return { kind: result.kind === "new" ? "new" : "known", token: result.token };
    },

    async look(input) {
      const seen = await store.see(input.project.id, input.token);
      if (seen === null || !isOwn(seen, input)) return { state: "unknown" };
      const { id, vapidKeyId, endpointHash, seenAtMs } = seen;
      if (endpointHash === null) return { state: "gone" };
      const key = input.project.keys.all.find((each) => each.id === vapidKeyId);
      // One that this server has no key for: it cannot be sent to, and its browser can register anew.
      if (key === undefined) return { state: "unknown" };
      const nowMs = now();
      if (seenAtMs <= nowMs - dayMs || seenAtMs > nowMs) {
        await unlessFull(store.noteSeen(id, nowMs - dayMs + 1, nowMs));
      }
      const hash = Buffer.from(endpointHash).subarray(0, shownHashBytes);
      return {
        state: "live",
        vapidKey: key.publicKey,
        endpointHash: hash.toString("base64url"),
      };
    },

    async unregister(input) {
      const registration = await findOwn(store, input);
      return registration !== null && (await store.leave(registration.id, now()));
    },

    async forget(input) {
      const registration = await findOwn(store, input);
      if (registration === null) return false;
      await store.forget(registration.id, newToken(), now());
      return true;
    },
  };
}

const localeRule: TextRule = { kind: "name", mostCharacters: limits.languageCharacters };

/** Operators read the locale, and a stranger may send any text. The browser gets its token all the same. */
function readableLocale(locale: string | undefined): string | null {
  return locale === undefined || textFlaw(locale, localeRule) !== null ? null : locale;
}

/** Null without an earlier registration, which a loss is of, and for a cause that this version does not know. */
function toldLoss({ token, loss }: RegistrationRequest): ToldLoss | null {
  const { data: cause } = lossCauseSchema.safeParse(loss?.cause);
  if (token === undefined || loss === undefined || cause === undefined) return null;
  return { cause, confirmedAtMs: loss.confirmedAtMs };
}

/** A browser gets its answer on a full disk, too. */
async function unlessFull(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isStorageFull(error)) throw error;
  }
}

/** Each topic by its place in the body; those that only the user token names by that. */
function topicFields(
  { topics = [] }: Pick<RegistrationRequest, "topics">,
  { code, topics: names }: { code: MembershipRefusal; topics: readonly string[] },
): NonNullable<Problem["fields"]> {
  return names.map((name) => {
    const index = topics.indexOf(name);
    const shown = JSON.stringify(name);
    return {
      path: index < 0 ? "userToken.topics" : `topics.${index}`,
      message:
        code === "topic-unknown" ? `there is no topic ${shown}` : `the topic ${shown} is kept`,
    };
  });
}
