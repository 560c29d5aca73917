/**
 * What the library for WebAuthn does for us. It takes 30 MB and a good part of a second to load: to be imported when it is
 * first needed.
 */
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from "@simplewebauthn/server";
import {
  COSEALG,
  decodeAttestationObject,
  decodeClientDataJSON,
} from "@simplewebauthn/server/helpers";
import type { Passkey } from "../../store/port.ts";
import { fromBase64Url, toBase64Url } from "./base64url.ts";
import type { RelyingParty } from "./relying-party.ts";

/** What browsers and authenticators have among them (WebAuthn Level 3, section 5.4). */
const algorithms = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

/** A question, and how long its answer is waited for. */
export type Challenge = { challenge: Uint8Array<ArrayBuffer>; timeoutMs: number };

/** For `navigator.credentials.create()`: a passkey that can be found without a name, and opens to its owner alone. */
export function creationOptions(
  { id, name }: RelyingParty,
  user: { handle: Uint8Array<ArrayBuffer>; email: string; name: string },
  known: readonly Pick<Passkey, "credentialId" | "transports">[],
  { challenge, timeoutMs }: Challenge,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: user.handle,
    userName: user.email,
    userDisplayName: user.name,
    challenge,
    timeout: timeoutMs,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
    // An authenticator that has one makes no second.
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: toBase64Url(credentialId),
      transports,
    })),
  });
}

/** For `navigator.credentials.get()`: whichever passkey for this host its owner chooses. */
export function requestOptions(
  { id }: RelyingParty,
  { challenge, timeoutMs }: Challenge,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: id,
    challenge,
    timeout: timeoutMs,
    userVerification: "required",
  });
}

/** The challenge that an answer says it is to; null if it cannot be read. Nothing is verified by that. */
export function challengeIn(clientDataJson: string): string | null {
  try {
    const { challenge }: { challenge: unknown } = decodeClientDataJSON(clientDataJson);
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

/**
 * Verifies what an authenticator answers that has made a passkey (WebAuthn Level 3, section 7.1).
 * @param challenge which was put, and to nobody else
 * @returns null if it is not valid: why, no error may tell, since the library's name challenges and keys
 */
export async function verifyNewPasskey(
  response: RegistrationResponseJSON,
  challenge: string,
  { id, origins }: RelyingParty,
): Promise<Pick<Passkey, "credentialId" | "publicKey" | "counter"> | null> {
  try {
    if (!isUnattested(response.response.attestationObject)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return null;
    const { credential } = registrationInfo;
    return {
      credentialId: fromBase64Url(credential.id),
      publicKey: credential.publicKey,
      counter: credential.counter,
    };
  } catch {
    return null;
  }
}

/**
 * Verifies what a passkey answers to a log-in (WebAuthn Level 3, section 7.2). The counter is left to the store, which
 * compares and writes it at once.
 * @param challenge which was put, once
 * @param userHandle that the passkey was made with, base64url
 * @returns the counter; null if the answer is not valid
 */
export async function verifyLogIn(
  response: AuthenticationResponseJSON,
  {
    challenge,
    passkey,
    userHandle,
    relyingParty: { id, origins },
  }: { challenge: string; passkey: Passkey; userHandle: string; relyingParty: RelyingParty },
): Promise<number | null> {
  if (response.response.userHandle !== userHandle) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: 0,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/**
 * Whether an answer comes without certificates, as was asked. Those of a hostile one would have the library ask for
 * lists of revoked ones wherever they say.
 */
function isUnattested(attestationObject: string): boolean {
  const bytes = new Uint8Array(fromBase64Url(attestationObject));
  const attestation = decodeAttestationObject(bytes);
  const format = attestation.get("fmt");
  if (format === "none") return true;
  // By the passkey's own key (section 8.2, "self attestation"): some browsers hand it on.
  return format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
}
