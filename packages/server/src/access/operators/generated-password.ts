/** Read aloud or copied by hand, none is taken for another (Crockford's base32): five bits each. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const groupsOfPassword = { groups: 4, groupCharacters: 5 };

/** A password that nobody has to think of: 20 random characters in four groups, 100 bits. */
export function generatePassword(randomBytes: (count: number) => Uint8Array): string {
  return generateGroups(randomBytes, groupsOfPassword);
}

/** Random characters in groups that can be typed, five bits each. */
export function generateGroups(
  randomBytes: (count: number) => Uint8Array,
  { groups, groupCharacters }: { groups: number; groupCharacters: number },
): string {
  const characters = [...randomBytes(groups * groupCharacters)].map((byte) => alphabet[byte % 32]);
  return Array.from({ length: groups }, (_, group) =>
    characters.slice(group * groupCharacters, (group + 1) * groupCharacters).join(""),
  ).join("-");
}
