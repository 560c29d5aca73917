/**
 * Whether it is an id of a message or a draft, a UUID. What stands in the console's address goes into paths that are
 * asked for with the operator's session: a link from somebody else must lead to nothing but what it names.
 */
export function isId(value: unknown): value is string {
  return typeof value === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}
