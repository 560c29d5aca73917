import { createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { listen, type Listening } from "./push-service.ts";

export type PrivateListener = Listening & {
  /** TCP connections so far, whatever became of them. */
  readonly connections: () => number;
};

/**
 * What nothing may ever be sent to: it listens on one port at 127.0.0.1 and, where the machine has it, at ::1, and
 * counts who connects, and hangs up.
 */
export async function startPrivateListener(): Promise<PrivateListener> {
  let connections = 0;
  const count = (socket: Socket): void => {
    connections += 1;
    socket.destroy();
  };
  const first = await listen(createServer(count));
  const others: Listening[] = [];
  const loopback = Object.values(networkInterfaces()).flat();
  if (loopback.some((each) => each?.address === "::1")) {
    others.push(await listen(createServer(count), { host: "::1", port: first.port }));
  }
  return {
    port: first.port,
    connections: () => connections,
    close: async () => {
      await Promise.all([first, ...others].map((each) => each.close()));
    },
  };
}
