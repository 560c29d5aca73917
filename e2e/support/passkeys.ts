/** An operator in front of a page of the server's site, with Chromium's virtual authenticator (WebAuthn, section 11). */
import type { BrowserContext, CDPSession, Page } from "@playwright/test";

/** What the server and the authenticator hand to each other: neither is the test's to understand. */
export type Json = Record<string, unknown>;
export type Answer = { status: number; code: string | null; body: Json };

/** Asks the server as a script of the page does, with the session's cookie. */
export async function ask(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  return page.evaluate(
    async ({ asked, at, sent }) => {
      const response = await fetch(`/v1/${at}`, {
        method: asked,
        ...(sent === undefined
          ? {}
          : { headers: { "Content-Type": "application/json" }, body: sent }),
      });
      const text = await response.text();
      const answered: Json = text === "" ? {} : JSON.parse(text);
      const { code } = answered;
      return {
        status: response.status,
        code: typeof code === "string" ? code : null,
        body: answered,
      };
    },
    { asked: method, at: path, sent: body === undefined ? undefined : JSON.stringify(body) },
  );
}

/** The authenticator makes a passkey. */
export async function makePasskey(page: Page, options: Json): Promise<Json> {
  return page.evaluate(async (json) => {
    const credential = await navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(json)),
    });
    if (!(credential instanceof PublicKeyCredential)) throw new Error("there is no passkey");
    return { ...credential.toJSON() };
  }, JSON.stringify(options));
}

/** The authenticator answers with a passkey that it has. */
export async function usePasskey(page: Page, options: Json): Promise<Json> {
  return page.evaluate(async (json) => {
    const credential = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(json)),
    });
    if (!(credential instanceof PublicKeyCredential)) throw new Error("there is no passkey");
    return { ...credential.toJSON() };
  }, JSON.stringify(options));
}

export type Authenticator = {
  /** Sets how often the passkey was used, as a copy of it would say. */
  setCount(signCount: number): Promise<void>;
  /** Whether the person shows who it is (by finger, face or PIN), or only that somebody is there. */
  setVerified(isVerified: boolean): Promise<void>;
};

/** One that is built into the machine. Who sits there touches it at once. */
export async function addAuthenticator(
  context: BrowserContext,
  page: Page,
): Promise<Authenticator> {
  const session: CDPSession = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async setCount(signCount) {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
      for (const credential of credentials) {
        const { credentialId } = credential;
        await session.send("WebAuthn.removeCredential", { authenticatorId, credentialId });
        await session.send("WebAuthn.addCredential", {
          authenticatorId,
          credential: { ...credential, signCount },
        });
      }
    },
    async setVerified(isUserVerified) {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}
