import { connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import type { Listening } from "./push-service.ts";

/** Listens with room for one, says where, and then never comes back to accept anybody. */
const listener = `
  const { parentPort } = require("node:worker_threads");
  const { createServer } = require("node:net");
  const server = createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/**
 * A port of loopback where connections hang in TCP: its backlog is full and nobody accepts, so that the system leaves
 * every further SYN without an answer, as a firewall does that drops packets.
 */
export async function startFullBacklog(): Promise<Listening> {
  const worker = new Worker(listener, { eval: true });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  // The system takes one more than the backlog says.
  const fillers = await Promise.all([connected(port), connected(port)]);
  return {
    port,
    close: async () => {
      for (const filler of fillers) filler.destroy();
      await worker.terminate();
    },
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      resolve(socket);
    });
    socket.once("error", reject);
  });
}
