/** The device made no passkey: the person said no, or it has one for this account already. */
export class PasskeyRefused extends Error {}

/**
 * Has the device make a passkey (WebAuthn Level 3, section 5.1.3).
 * @param options as the server gave them
 * @throws PasskeyRefused
 */
export async function makePasskey(options: object): Promise<object> {
  let credential: Credential | null;
  try {
    credential = await navigator.credentials.create({
      // The server's own; a browser that does not know the shape refuses it.
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        JSON.parse(JSON.stringify(options)),
      ),
    });
  } catch (error) {
    throw new PasskeyRefused("the device made no passkey", { cause: error });
  }
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyRefused("there is no passkey");
  return { ...credential.toJSON() };
}
