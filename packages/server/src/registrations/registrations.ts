import { createHash } from "node:crypto";
import { limits, type HttpErrorCode, type RegistrationRequest } from "@sineta/protocol";
import type { ActiveProject } from "../projects/project.ts";
import type { RegistrationStore } from "../store/port.ts";
import { checkEndpoint, type EndpointPolicy } from "../webpush/endpoint.ts";
import { parsePushKeys } from "../webpush/seal.ts";
import { hashClientSecret } from "./client-secret.ts";
import { findOwn } from "./find-own.ts";
import { requestedMembership } from "./requested-membership.ts";
import { decide } from "./rules.ts";

export type RegisterInput = {
  project: ActiveProject;
  /** Origin of the page that asks; one of the project's. */
  origin: string;
  /** 32 bytes, base64url. */
  clientSecret: string;
  body: RegistrationRequest;
};

export type RegisterResult =
  | { kind: "new" | "known"; token: string }
  | { kind: "error"; code: HttpErrorCode };

export type Registrations = {
  /**
   * Registers a browser's subscription by the rules of rules.ts. Once it has answered with a token, the
   * registration is durable. Error codes: `vapid-key-unknown`, `endpoint-not-allowed`,
   * `subscription-key-invalid`, `subscription-auth-invalid`, `registration-refused`, `user-token-invalid`,
   * `user-token-expired`, `topic-unknown`, `topic-kept`: nothing is changed then.
   */
  register(input: RegisterInput): Promise<RegisterResult>;
  /** Whether there was such a registration; an unknown token and a wrong secret are not told apart. */
  unregister(input: {
    project: ActiveProject;
    token: string;
    clientSecret: string;
  }): Promise<boolean>;
};

export function createRegistrations(parts: {
  store: RegistrationStore;
  endpointPolicy: EndpointPolicy;
  randomBytes: (count: number) => Uint8Array;
  now: () => number;
}): Registrations {
  const { store, endpointPolicy, randomBytes, now } = parts;
  return {
    async register({ project, origin, clientSecret, body }) {
      const { endpoint, keys } = body.subscription;
      const vapidKey = project.keys.all.find(({ publicKey }) => publicKey === body.vapidKey);
      if (vapidKey === undefined) return { kind: "error", code: "vapid-key-unknown" };
      const checked = checkEndpoint(endpoint, endpointPolicy);
      if (!checked.ok) return { kind: "error", code: "endpoint-not-allowed" };
      const pushKeys = parsePushKeys(keys.p256dh, keys.auth);
      if (!pushKeys.ok) {
        const code =
          pushKeys.reason === "auth" ? "subscription-auth-invalid" : "subscription-key-invalid";
        return { kind: "error", code };
      }
      const requested = await requestedMembership(body, project.userKey, now());
      if (!requested.ok) return { kind: "error", code: requested.code };
      const candidate = {
        projectId: project.id,
        endpoint,
        endpointHash: createHash("sha256").update(endpoint).digest(),
        p256dh: keys.p256dh,
        auth: keys.auth,
        vapidKeyId: vapidKey.id,
        pushOrigin: checked.target.origin,
        origin,
        locale: body.locale ?? null,
        timeZone: body.timeZone ?? null,
        clientSecretHash: hashClientSecret(clientSecret),
        earlierToken: body.token ?? null,
        newToken: Buffer.from(randomBytes(limits.tokenBytes)).toString("base64url"),
      };
      const result = await store.register(
        candidate,
        (found) => decide(candidate, found),
        now(),
        requested.membership,
      );
      if (result.kind === "refused") return { kind: "error", code: result.code };
      return { kind: result.kind === "new" ? "new" : "known", token: result.token };
    },

    async unregister(input) {
      const registration = await findOwn(store, input);
      return registration !== null && (await store.leave(registration.id, now()));
    },
  };
}
