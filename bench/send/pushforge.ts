import { buildPushHTTPRequest } from "@pushforge/builder";
import type { Prepare } from "./contender.ts";

/** As its README has it: the request is built, and `fetch` sends it, which keeps connections by itself. */
export const prepare: Prepare = async (task) => {
  const { endpoints, p256dh, auth, publicKey, privateKey, subject } = task;
  const point = Buffer.from(publicKey, "base64url");
  const privateJWK = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
    d: privateKey,
  };
  // It sends JSON: two quotes are part of what is sealed.
  const payload = "x".repeat(task.plaintextBytes - 2);
  return {
    async sendOne(place) {
      const keys = { p256dh: p256dh[place] ?? "", auth: auth[place] ?? "" };
      const { endpoint, headers, body } = await buildPushHTTPRequest({
        privateJWK,
        subscription: { endpoint: endpoints[place] ?? "", keys },
        message: { payload, adminContact: subject, options: { ttl: task.ttlSeconds } },
      });
      const response = await fetch(endpoint, { method: "POST", headers, body });
      await response.arrayBuffer();
      if (response.status !== 201) throw new Error(String(response.status));
    },
    close: () => Promise.resolve(),
  };
};
