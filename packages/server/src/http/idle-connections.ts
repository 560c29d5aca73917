import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Closes each connection on which no byte has moved for `idleMs`. It checks all of them every `checkMs`. Node's own limit
 * (`server.setTimeout`) waits twice as long if the operating system took a part of the last write.
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
  // Node counts a write once the operating system has taken all of it. Only the handle tells how many bytes of a write
  // are left; Node's own limit reads it there, too.
  const left: unknown = Reflect.get(Object(Reflect.get(socket, "_handle")), "writeQueueSize");
  const leftBytes = typeof left === "number" ? left : 0;
  return socket.bytesRead + socket.bytesWritten - socket.writableLength - leftBytes;
}
