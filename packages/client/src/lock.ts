/**
 * Runs `work` while nothing else runs under the same name, in any tab or worker of this origin. Whoever is ended
 * in the middle lets go. `registration` is held by whoever changes the subscription or the identity, `look` by a
 * page that looks.
 */
export function oneAfterTheOther<T>(
  name: "registration" | "look" | `message-${string}`,
  work: () => Promise<T>,
): Promise<T> {
  return navigator.locks.request(`sineta-${name}`, work);
}
