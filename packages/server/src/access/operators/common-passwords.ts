let loaded: Promise<ReadonlySet<string>> | undefined;

/**
 * Some 49,000 passwords that everybody tries first, in lower case. Read when it is first asked for: a server that sets
 * no password does without.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"].map(String)),
  );
  return loaded;
}
