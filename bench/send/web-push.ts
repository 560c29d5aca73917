import { Agent } from "node:https";
import webPush from "web-push";
import type { Prepare } from "./contender.ts";

/** As its README has it, with an agent that keeps connections, which it takes as an option. */
export const prepare: Prepare = async (task) => {
  const { endpoints, p256dh, auth, publicKey, privateKey, subject } = task;
  const agent = new Agent({ keepAlive: true });
  const payload = Buffer.alloc(task.plaintextBytes, "x");
  return {
    async sendOne(place) {
      const keys = { p256dh: p256dh[place] ?? "", auth: auth[place] ?? "" };
      await webPush.sendNotification({ endpoint: endpoints[place] ?? "", keys }, payload, {
        TTL: task.ttlSeconds,
        urgency: "normal",
        vapidDetails: { subject, publicKey, privateKey },
        agent,
      });
    },
    async close() {
      agent.destroy();
    },
  };
};
