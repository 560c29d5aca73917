import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Closes the connections on which nothing has moved for `idleMs`: no byte came, and the operating system took none. It
 * looks every `checkMs`. Node's own limit (`server.setTimeout`) waits twice as long where the operating system took a
 * part of the last write.
 * @param parts.event with which the server hands out a connection on which it answers
 */
export function closeIdleConnections(
  server: Server,
  parts: {
    event: "connection" | "secureConnection";
    idleMs: number;
    checkMs: number;
    now: () => number;
  },
): void {
  const { event, idleMs, checkMs, now } = parts;
  const seen = new Map<Socket, { movedBytes: number; sinceMs: number }>();
  server.on(event, (socket: Socket) => {
    seen.set(socket, { movedBytes: 0, sinceMs: now() });
    socket.once("close", () => seen.delete(socket));
  });
  function check(): void {
    const nowMs = now();
    for (const [socket, last] of seen) {
      const movedBytes = bytesMoved(socket);
      if (movedBytes !== last.movedBytes) seen.set(socket, { movedBytes, sinceMs: nowMs });
      else if (nowMs - last.sinceMs >= idleMs) socket.destroy();
    }
  }
  server.once("listening", () => {
    const checks = setInterval(check, checkMs);
    server.once("close", () => clearInterval(checks));
  });
}

function bytesMoved(socket: Socket): number {
  // Node counts a write as written once the operating system has taken all of it. How much of it is left, the handle
  // alone tells: Node's own limit reads it there, too.
  const left: unknown = Reflect.get(Object(Reflect.get(socket, "_handle")), "writeQueueSize");
  const takenBytes = socket.bytesWritten - socket.writableLength;
  return socket.bytesRead + takenBytes - (typeof left === "number" ? left : 0);
}
