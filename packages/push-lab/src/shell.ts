/** Lines that put these into the environment of a POSIX shell. */
export function exported(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, value]) => `  export ${name}=${quoted(value)}`);
}

/** As a POSIX shell takes it. */
export function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
