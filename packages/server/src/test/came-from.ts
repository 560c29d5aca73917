import { IncomingMessage } from "node:http";
import { Socket } from "node:net";

/** What a request brings along that came by a socket from this address: the second argument of `app.fetch`. */
export function cameFrom(address: string): { incoming: IncomingMessage } {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: address });
  return { incoming: new IncomingMessage(socket) };
}

/** Another address for each number below 2^24. */
export function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}
