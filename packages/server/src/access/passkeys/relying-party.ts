/** Who asks for passkeys, as browsers and authenticators know it (WebAuthn Level 3, section 4, "Relying Party"). */
export type RelyingParty = {
  /** Host name. A passkey is bound to it for good. */
  id: string;
  name: string;
  /** Whose pages may ask: the console's. */
  origins: ReadonlySet<string>;
};

/** @param consoleUrl under which the console is reached: the public URL; in development that of this machine */
export function relyingPartyOf(consoleUrl: string, origins: ReadonlySet<string>): RelyingParty {
  return { id: new URL(consoleUrl).hostname, name: "Sineta", origins };
}
