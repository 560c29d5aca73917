import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:http2";
import { agreeOnSecret } from "../../packages/server/src/webpush/key-agreement.ts";
import type { Prepare } from "./contender.ts";

/**
 * The least that a sender on Node does for a push: a key pair and ECDH by OpenSSL, and a request of node:http2 with as
 * many bytes. What it sends, no browser could open.
 */
export const prepare: Prepare = async ({ endpoints, p256dh, port, plaintextBytes }) => {
  const authority = `localhost:${port}`;
  const session = connect(`https://${authority}`, { settings: { enablePush: false } });
  await once(session, "remoteSettings");
  let isClosing = false;
  // A request of a session that ends may never hear of it.
  session.on("close", () => {
    if (!isClosing) throw new Error("the sink has ended the session");
  });
  const peers = p256dh.map((key) => Buffer.from(key, "base64url"));
  const paths = endpoints.map((endpoint) => endpoint.slice(`https://${authority}`.length));
  const body = randomBytes(plaintextBytes + 103);
  const token = `vapid t=${randomBytes(160).toString("base64url")}, k=${randomBytes(65).toString("base64url")}`;
  return {
    async sendOne(place) {
      agreeOnSecret(peers[place] ?? Buffer.alloc(0));
      const stream = session.request([
        ":method",
        "POST",
        ":scheme",
        "https",
        ":authority",
        authority,
        ":path",
        paths[place] ?? "/",
        "authorization",
        token,
        "ttl",
        "3600",
        "content-encoding",
        "aes128gcm",
        "content-length",
        String(body.length),
      ]);
      stream.end(body);
      stream.resume();
      const [headers] = await once(stream, "response");
      if (headers[":status"] !== 201) throw new Error("not accepted");
    },
    async close() {
      isClosing = true;
      session.close();
      await once(session, "close");
    },
  };
};
