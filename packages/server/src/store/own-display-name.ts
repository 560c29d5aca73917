/** A topic's display name as it is kept: empty where it has none but its name. */
export function ownDisplayName(name: string, displayName = ""): string {
  return displayName === name ? "" : displayName;
}
