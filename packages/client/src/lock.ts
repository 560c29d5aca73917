import { failingAs } from "./errors.ts";

/**
 * Runs `work` while nothing else runs under the same name, in any tab or worker of this origin. The browser releases
 * the lock of a tab or worker that ends in the middle. A page or worker holds `registration` while it changes the
 * subscription or the identity. A page holds `look` while it looks.
 *
 * @throws MessagingError `storage-failed` if the lock itself fails; else what `work` throws
 */
export function oneAfterTheOther<T>(
  name: "registration" | "look" | `message-${string}`,
  work: () => Promise<T>,
): Promise<T> {
  let working: Promise<T> | undefined;
  const start = () => (working = work());
  return failingAs("storage-failed", () =>
    // Firefox before 96 has no locks: `work` runs at once, even while another tab's runs.
    navigator.locks ? navigator.locks.request(`sineta-${name}`, start) : start(),
  ).catch((error) => working ?? Promise.reject(error));
}
