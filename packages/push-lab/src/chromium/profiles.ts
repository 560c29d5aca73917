import type { Credentials } from "./check-in.ts";

export type Profiles = {
  /** The profile's credentials: the ones it brought, where they may be its own, or new ones. */
  readonly checkIn: (known: Credentials | undefined) => Credentials;
  /** Whether it is who it says it is. */
  readonly admits: (credentials: Credentials) => boolean;
};

/**
 * Who may take which identity. A profile outlives the lab it checked in at, and then goes straight to registration or login:
 * an identity nobody here has yet is taken over as it is, one that is known has to be proved.
 *
 * @param onNew told the id of each profile that is seen for the first time
 */
export function createProfiles({
  random,
  onNew,
}: {
  random: (bytes: number) => Uint8Array;
  onNew: (browser: string) => void;
}): Profiles {
  const tokens = new Map<string, string>();

  const admits = ({ browser, securityToken }: Credentials): boolean => {
    const known = tokens.get(browser);
    if (known !== undefined) return known === securityToken;
    if (!/^[1-9]\d{0,19}$/.test(browser) || !/^[1-9]\d{0,19}$/.test(securityToken)) return false;
    tokens.set(browser, securityToken);
    onNew(browser);
    return true;
  };
  // Positive also where it is read as a signed number, and never 0, which means "none".
  const newNumber = (): string =>
    (BigInt.asUintN(62, Buffer.from(random(8)).readBigUInt64BE()) + 1n).toString();

  return {
    admits,
    checkIn: (known) => {
      if (known !== undefined && admits(known)) return known;
      const credentials = { browser: newNumber(), securityToken: newNumber() };
      admits(credentials);
      return credentials;
    },
  };
}
