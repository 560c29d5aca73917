import { createHash } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { limits } from "@sineta/protocol";
import type { Asker, Operator, OperatorStore, Passkey, PasskeyStore } from "../../store/port.ts";
import type { Self } from "../caller.ts";
import type { AuditFailure } from "../sessions/log-in-audit.ts";
import type { Device, Sessions, StartedSession, TooManyLogIns } from "../sessions/sessions.ts";
import { hashToken } from "../token.ts";
import { fromBase64Url, toBase64Url } from "./base64url.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { Challenge } from "./webauthn.ts";

const webAuthn = () => import("./webauthn.ts");

/** Time to find the key, and to type its PIN. */
const challengeLifetimeMs = 5 * 60_000;
const challengeBytes = 32;
/** For log-ins, all addresses together: everybody may ask for one. Some 20 MB of the database. */
export const openChallenges = 100_000;

export type Passkeys = {
  /** What a page hands to `navigator.credentials.create()`. Null if the operator has as many as may be, or is gone. */
  registrationOptions(operatorId: number): Promise<PublicKeyCredentialCreationOptionsJSON | null>;
  /** Keeps the passkey that was made. Ends all other sessions of the operator. */
  register(
    self: Self,
    made: { name: string; credential: RegistrationResponseJSON },
    asker: Asker,
  ): Promise<
    "added" | "passkey-invalid" | "passkey-known" | "passkeys-exhausted" | "session-ended"
  >;
  /** Host name that passkeys are made for here. */
  host: string;
  /** Of an operator, the oldest first. */
  list(operatorId: number): Promise<Passkey[]>;
  /** Only if it is this operator's. It opens nothing any more, and all other sessions of the operator end. */
  remove(self: Self, id: number, asker: Asker): Promise<boolean>;
  /** What a page hands to `navigator.credentials.get()`: who it is comes with the answer. */
  logInOptions(): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** Logs in whose passkey it is. Null if there is none such, or its answer is not valid, or was given before. */
  logIn(
    credential: AuthenticationResponseJSON,
    device: Device,
  ): Promise<StartedSession | TooManyLogIns | null>;
};

/**
 * Passkeys: something that the operator has, opened by something that the operator knows or is; so log-in asks for
 * nothing else.
 */
export function createPasskeys({
  store,
  operators,
  sessions,
  auditFailure,
  relyingParty,
  randomBytes,
  now,
}: {
  store: PasskeyStore;
  operators: Pick<OperatorStore, "findById">;
  sessions: Pick<Sessions, "start">;
  auditFailure: AuditFailure;
  relyingParty: RelyingParty;
  randomBytes: (count: number) => Uint8Array;
  now: () => number;
}): Passkeys {
  async function newChallenge(operatorId: number | null): Promise<Challenge> {
    const challenge = new Uint8Array(randomBytes(challengeBytes));
    const nowMs = now();
    const hash = hashToken(toBase64Url(challenge));
    const question = { hash, operatorId, expiresAtMs: nowMs + challengeLifetimeMs };
    await store.addChallenge(question, openChallenges, nowMs);
    return { challenge, timeoutMs: challengeLifetimeMs };
  }

  /** The challenge that an answer is to, if it was put to this operator: from then on it is good for nothing. */
  async function takeChallenge(
    clientDataJson: string,
    operatorId: number | null,
  ): Promise<string | null> {
    const { challengeIn } = await webAuthn();
    const challenge = challengeIn(clientDataJson);
    if (challenge === null) return null;
    const taken = await store.takeChallenge(hashToken(challenge), operatorId, now());
    return taken ? challenge : null;
  }

  /** The operator whose passkey gave a valid answer; null with the e-mail address of whose passkey it seems to be. */
  async function whoAnswers(credential: AuthenticationResponseJSON) {
    const challenge = await takeChallenge(credential.response.clientDataJSON, null);
    const passkey = await store.findPasskey(fromBase64Url(credential.id));
    const operator = passkey === null ? null : await operators.findById(passkey.operatorId);
    if (passkey === null || operator === null) return { operator: null, email: null };
    const { email } = operator;
    if (challenge === null) return { operator: null, email };
    const { verifyLogIn } = await webAuthn();
    const counter = await verifyLogIn(credential, {
      challenge,
      passkey,
      userHandle: toBase64Url(userHandle(operator)),
      relyingParty,
    });
    // One that has not grown is that of a copy.
    if (counter === null || !(await store.usePasskey(passkey.id, counter, now()))) {
      return { operator: null, email };
    }
    return { operator, email };
  }

  return {
    host: relyingParty.id,

    async registrationOptions(operatorId) {
      const operator = await operators.findById(operatorId);
      const own = await store.passkeys(operatorId);
      if (operator === null || own.length >= limits.passkeysPerOperator) return null;
      const { creationOptions } = await webAuthn();
      const { email, name } = operator;
      const user = { handle: userHandle(operator), email, name };
      return creationOptions(relyingParty, user, own, await newChallenge(operatorId));
    },

    async register({ id: operatorId, sessionId }, { name, credential }, asker) {
      const { clientDataJSON, transports = [] } = credential.response;
      const challenge = await takeChallenge(clientDataJSON, operatorId);
      if (challenge === null) return "passkey-invalid";
      const { verifyNewPasskey } = await webAuthn();
      const made = await verifyNewPasskey(credential, challenge, relyingParty);
      if (made === null) return "passkey-invalid";
      const added = await store.addPasskey(
        {
          ...made,
          operatorId,
          name,
          rpId: relyingParty.id,
          transports: transports.filter(isTransport),
        },
        limits.passkeysPerOperator,
        sessionId,
        entryOf("passkey.added", { name }, asker),
        now(),
      );
      if (added === "known") return "passkey-known";
      return added === "too-many" ? "passkeys-exhausted" : added;
    },

    list: (operatorId) => store.passkeys(operatorId),

    async remove({ id: operatorId, sessionId }, id, asker) {
      const passkey = (await store.passkeys(operatorId)).find((own) => own.id === id);
      if (passkey === undefined) return false;
      const audit = entryOf("passkey.removed", { name: passkey.name }, asker);
      return store.removePasskey(operatorId, id, sessionId, audit, now());
    },

    async logInOptions() {
      const { requestOptions } = await webAuthn();
      return requestOptions(relyingParty, await newChallenge(null));
    },

    async logIn(credential, device) {
      const { operator, email } = await whoAnswers(credential);
      if (operator !== null) {
        const session = await sessions.start(
          { ...operator, verified: operator },
          device,
          "passkey",
        );
        if (session !== null && "retryAfterSeconds" in session) {
          await auditFailure(operator.email, device.address, "too-many-attempts");
        }
        return session;
      }
      await auditFailure(email, device.address, "passkey");
      return null;
    },
  };
}

/**
 * By which an authenticator knows the account (WebAuthn Level 3, section 14.6.1): never another one for an operator, not
 * the same at two servers, and nothing that names somebody.
 */
function userHandle({ id, createdAtMs }: Operator): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    createHash("sha256").update(`sineta operator ${id} ${createdAtMs}`).digest(),
  );
}

/** "usb", "nfc", "ble", "smart-card", "hybrid", "internal", and whatever comes to be (section 5.8.4). */
function isTransport(text: string): boolean {
  return /^[a-z-]{1,30}$/.test(text);
}

/** Operators change their own passkeys alone. */
function entryOf(action: string, change: { name: string }, asker: Asker) {
  return { ...asker, projectId: null, action, subject: asker.actor.name, change };
}
