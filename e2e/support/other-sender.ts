/** A sender that is not ours: web-push, with VAPID keys of its own. */
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import type { PushLab } from "@sineta/push-lab";
import webPush from "web-push";

export type OtherSender = {
  /** Public VAPID key, base64url. */
  vapidKey: string;
  /** Seals, signs and sends; null is an empty push. Resolves to the push service's status. */
  send: (subscription: PushSubscriptionJSON, payload: string | null) => Promise<number>;
};

export function otherSender(lab: PushLab): OtherSender {
  const keys = webPush.generateVAPIDKeys();
  return {
    vapidKey: keys.publicKey,
    async send({ endpoint = "", keys: { p256dh = "", auth = "" } = {} }, payload) {
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        payload,
        { TTL: 60, vapidDetails: { ...keys, subject: "mailto:sineta@example.com" } },
      );
      const { host, port, servername } = lab.reach(endpoint);
      const ca = await readFile(lab.caPath);
      const { pathname: path } = new URL(endpoint);
      return new Promise((resolve, reject) => {
        request(
          {
            method: "POST",
            host,
            port,
            servername,
            path,
            ca,
            agent: false,
            headers: { ...headers, host: servername },
          },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          },
        )
          .once("error", reject)
          .end(body);
      });
    },
  };
}
