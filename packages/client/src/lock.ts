/**
 * Runs `work` while nothing else runs under the same name, in any tab or worker of this origin. The browser releases
 * the lock of a tab or worker that ends in the middle. A page or worker holds `registration` while it changes the
 * subscription or the identity. A page holds `look` while it looks.
 */
export function oneAfterTheOther<T>(
  name: "registration" | "look" | `message-${string}`,
  work: () => Promise<T>,
): Promise<T> {
  return navigator.locks.request(`sineta-${name}`, work);
}
