import { Secret, TOTP } from "otpauth";

/** What every authenticator application takes; many ignore anything else that the URI says (RFC 6238, section 4). */
const parameters = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** RFC 6238, section 5.2: one step each way, for the time it takes to type and for clocks that differ. */
const windowSteps = 1;
/** RFC 4226, section 4 (R6). */
const secretBytes = 20;

export function makeTotpSecret(randomBytes: (count: number) => Uint8Array): Uint8Array {
  return randomBytes(secretBytes);
}

/** As a person types it into the application, and as a QR code holds it (Google Authenticator's "Key Uri Format"). */
export function showTotpSecret(
  secret: Uint8Array,
  { issuer, account }: { issuer: string; account: string },
): { secret: string; uri: string } {
  const shown = secretOf(secret);
  const uri = new TOTP({ ...parameters, issuer, label: account, secret: shown }).toString();
  return { secret: shown.base32, uri };
}

/** The step of 30 seconds since 1970 that the code is for; null if it is for none that is near now. */
export function totpStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  // The library throws at what has as many characters, and more bytes.
  if (!/^\d{6}$/.test(code)) return null;
  const delta = TOTP.validate({
    ...parameters,
    secret: secretOf(secret),
    token: code,
    timestamp: nowMs,
    window: windowSteps,
  });
  if (delta === null) return null;
  return TOTP.counter({ period: parameters.period, timestamp: nowMs }) + delta;
}

function secretOf(secret: Uint8Array): Secret {
  // A copy: what Node gives may be a part of a larger buffer.
  return new Secret({ buffer: new Uint8Array(secret).buffer });
}
