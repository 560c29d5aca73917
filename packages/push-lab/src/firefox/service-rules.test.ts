import { afterAll, beforeAll, describe, expect, test } from "vitest";
import webpush from "web-push";

import { type PushLab, startPushLab } from "../lab.ts";
import { type OutgoingPush, sendOverHttp2, signedPush } from "../test/application-server.ts";
import { connectFirefox, type FirefoxConnection } from "../test/firefox-client.ts";

let lab: PushLab;
let firefox: FirefoxConnection;
let endpoint: string;

beforeAll(async () => {
  lab = await startPushLab();
  firefox = await connectFirefox(lab);
  endpoint = (await firefox.register()).pushEndpoint ?? "";
});
afterAll(() => lab.close());

const send = (push: OutgoingPush) => sendOverHttp2(lab, push);
const refusal = async (push: OutgoingPush) => {
  const { status, headers, body } = await send(push);
  const json = JSON.parse(body);
  expect(headers["content-type"]).toBe("application/json");
  expect(json).toEqual({
    code: status,
    errno: json.errno,
    error: expect.stringMatching(/\w/),
    message: lab.pushes().at(-1)?.reason,
    more_info: expect.stringMatching(/^http/),
  });
  return { status, errno: json.errno, error: json.error, headers };
};
const withHeaders = (headers: Record<string, string>): OutgoingPush => {
  const push = signedPush({ endpoint });
  return { ...push, headers: { ...push.headers, ...headers } };
};
const withoutHeader = (name: string): OutgoingPush => {
  const { [name]: _left, ...headers } = signedPush({ endpoint }).headers;
  return { ...signedPush({ endpoint }), headers };
};

describe("Mozilla's push service tells by its own numbers what is wrong:", () => {
  test.each<[string, () => OutgoingPush, number, number | null, string]>([
    ["no TTL", () => withoutHeader("ttl"), 400, 111, "Bad Request"],
    ["a TTL that is no number", () => signedPush({ endpoint, ttl: "x" }), 400, 111, "Bad Request"],
    ["a TTL below 0", () => signedPush({ endpoint, ttl: "-1" }), 400, 114, "Bad Request"],
    ["a long topic", () => withHeaders({ topic: "a".repeat(33) }), 400, 113, "Bad Request"],
    ["an encoding", () => withHeaders({ "content-encoding": "gzip" }), 400, 110, "Bad Request"],
    ["an urgency", () => withHeaders({ urgency: "urgent" }), 400, null, "Bad Request"],
    ["no credentials", () => withoutHeader("authorization"), 401, 109, "Unauthorized"],
    [
      "another key",
      () => signedPush({ endpoint, keys: webpush.generateVAPIDKeys() }),
      401,
      109,
      "Unauthorized",
    ],
    ["nobody", () => signedPush({ endpoint: `${endpoint}x` }), 404, 102, "Not Found"],
    [
      "too large a body",
      () => signedPush({ endpoint, body: new Uint8Array(4097) }),
      413,
      104,
      "Payload Too Large",
    ],
  ])("%s", async (_case, push, status, errno, error) => {
    expect(await refusal(push())).toMatchObject({ status, errno, error });
  });

  test.each([
    [410, 106, "Gone", "max-age=86400"],
    [404, 102, "Not Found", undefined],
  ] as const)("a subscription that ended with %i", async (status, errno, error, cacheControl) => {
    const ended = (await firefox.register()).pushEndpoint ?? "";
    lab.endSubscription(ended, status);
    const answer = await refusal(signedPush({ endpoint: ended }));
    expect(answer).toMatchObject({ status, errno, error });
    expect(answer.headers["cache-control"]).toBe(cacheControl);
  });

  test("another method", async () => {
    const { status, headers, body } = await sendOverHttp2(lab, signedPush({ endpoint }), "PUT");
    expect(status).toBe(405);
    expect(headers["allow"]).toBe("POST");
    expect(JSON.parse(body)).toMatchObject({ code: 405, errno: null });
  });
});

test("what it accepts is at /m/, with the TTL it keeps it for", async () => {
  const { status, headers } = await send(signedPush({ endpoint, ttl: "30" }));
  expect(status).toBe(201);
  expect(headers["location"]).toBe(
    `https://updates.push.services.mozilla.com/m/${lab.pushes().at(-1)?.id}`,
  );
  expect(headers["ttl"]).toBe("30");
});
