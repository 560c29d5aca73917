import type { Destination } from "../store/port.ts";

/** Tells one destination from another. */
export function destinationName({ vapidKeyId, pushOrigin }: Destination): string {
  return `${vapidKeyId} ${pushOrigin}`;
}
