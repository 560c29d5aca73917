import type { Destination, PushOriginKey } from "../store/port.ts";

/** Tells one destination from another. */
export function destinationName({ pushService, vapidKeyId, lane }: Destination): string {
  return `${vapidKeyId} ${pushService} ${lane}`;
}

/** Tells one push origin and key from another. */
export function originName({ vapidKeyId, pushOrigin }: PushOriginKey): string {
  return `${vapidKeyId} ${pushOrigin}`;
}
