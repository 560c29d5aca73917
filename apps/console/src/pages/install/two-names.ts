/** A site that pages name with and without www: two origins, so a person may have a registration at each. Null where each site has one name. */
export function twoNamesOf(origins: readonly string[]): { plain: string; www: string } | null {
  for (const plain of origins) {
    const www = plain.replace("://", "://www.");
    if (origins.includes(www)) return { plain, www };
  }
  return null;
}
