import { connect } from "node:http2";
import { request as httpsRequest } from "node:https";
import { readFile } from "node:fs/promises";

import webpush from "web-push";

import type { PushLab } from "../lab.ts";
import { type KeyPair, signToken } from "./vapid-token.ts";

export type PushSubscriptionJson = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

export type OutgoingPush = {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export const vapidKeys: KeyPair = webpush.generateVAPIDKeys();

/** Seals and signs with web-push, an implementation that is not ours. */
export function sealPush(
  subscription: PushSubscriptionJson,
  text: string | null,
  options: { ttlSeconds?: number; topic?: string } = {},
): OutgoingPush {
  const { endpoint, headers, body } = webpush.generateRequestDetails(subscription, text, {
    vapidDetails: { ...vapidKeys, subject: "mailto:sineta@example.com" },
    TTL: options.ttlSeconds ?? 60,
    ...(options.topic !== undefined && { topic: options.topic }),
  });
  return {
    endpoint,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    body: body ?? new Uint8Array(0),
  };
}

/** A push with any body, signed as it should be: for where nobody opens it. */
export function signedPush(push: {
  endpoint: string;
  body?: Uint8Array;
  ttl?: string;
  topic?: string;
  keys?: KeyPair;
  claims?: { aud?: string; exp?: number };
}): OutgoingPush {
  const { endpoint, body = Buffer.from("sealed"), ttl = "60", topic, keys = vapidKeys } = push;
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(Date.now() / 1000) + 3600,
    sub: "mailto:sineta@example.com",
    ...push.claims,
  };
  return {
    endpoint,
    body,
    headers: {
      ttl,
      ...(body.byteLength > 0 && { "content-encoding": "aes128gcm" }),
      ...(topic !== undefined && { topic }),
      authorization: `vapid t=${signToken(keys, claims)}, k=${keys.publicKey}`,
    },
  };
}

/** Sends over HTTP/2 to where the lab really listens, with the endpoint's own authority. */
export async function sendOverHttp2(
  lab: PushLab,
  push: OutgoingPush,
  method = "POST",
): Promise<Answer> {
  const { host, pathname } = new URL(push.endpoint);
  const session = connect(`https://${host}`, {
    ca: await readFile(lab.caPath),
    servername: host,
    host: lab.pushService.address,
    port: lab.pushService.port,
  });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      session.once("error", reject);
      const stream = session.request({
        ...push.headers,
        ":method": method,
        ":authority": host,
        ":path": pathname,
      });
      let status = 0;
      let headers: Record<string, string> = {};
      let body = "";
      stream.setEncoding("utf8");
      stream.once("error", reject);
      stream.once("response", (received) => {
        status = Number(received[":status"]);
        headers = Object.fromEntries(
          Object.entries(received).map(([name, value]) => [name, String(value)]),
        );
      });
      stream.on("data", (chunk: string) => {
        body += chunk;
      });
      stream.once("end", () => {
        resolve({ status, headers, body });
      });
      stream.end(push.body);
    });
  } finally {
    session.close();
  }
}

/** The same over HTTP/1.1. */
export async function sendOverHttp1(lab: PushLab, push: OutgoingPush): Promise<Answer> {
  const { hostname, pathname } = new URL(push.endpoint);
  const ca = await readFile(lab.caPath);
  return await new Promise((resolve, reject) => {
    const request = httpsRequest(
      {
        host: lab.pushService.address,
        port: lab.pushService.port,
        servername: hostname,
        ca,
        agent: false,
        method: "POST",
        path: pathname,
        headers: { ...push.headers, host: hostname },
      },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          body += chunk;
        });
        response.once("end", () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
            ),
            body,
          });
        });
      },
    );
    request.once("error", reject);
    request.end(push.body);
  });
}
