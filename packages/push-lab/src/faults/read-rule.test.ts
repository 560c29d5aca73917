import { describe, expect, test } from "vitest";

import { PushLabError } from "../errors.ts";
import { readRule } from "./read-rule.ts";

const origins = ["https://fcm.googleapis.com"];
const read = (value: unknown) => readRule(value, origins);
const hang = { kind: "hang", at: "request" };

describe("a rule is read as it stands:", () => {
  test.each<object>([
    { fault: { kind: "answer", status: 299, headers: { "x-a": "b" }, body: "c" } },
    { fault: { ...hang, taken: true } },
    { fault: { kind: "hang", at: "answer" } },
    { fault: { kind: "drip", bytesPerSecond: 0.5, status: 200 } },
    { fault: { kind: "endless-body" } },
    { fault: { kind: "endless-headers" } },
    { fault: { kind: "reset", at: "request", code: "REFUSED_STREAM", taken: false } },
    { fault: { kind: "reset", at: "answer", code: 4_294_967_295 } },
    { fault: { kind: "settings", maxConcurrentStreams: 0 } },
    { fault: { kind: "goaway", code: "NO_ERROR", lastStreamId: "previous" } },
    { fault: { kind: "goaway", lastStreamId: 2_147_483_647 } },
    { fault: { kind: "hang-up" } },
    { fault: { kind: "refuse-connections" }, origin: origins[0] },
    { fault: { kind: "refuse-vapid", because: "token" } },
    { fault: { kind: "rate-limit", as: "windows", limit: 0, windowSeconds: 1, blockSeconds: 2 } },
    { script: ["ok", hang], path: "/a*", share: 0.5, after: 3 },
    { fault: hang, times: 1 },
    { fault: hang, times: 4, timesPerEndpoint: 1 },
  ])("%j", (rule) => {
    expect(read(structuredClone(rule))).toEqual(rule);
  });
});

describe("a rule is refused in a sentence that names the field:", () => {
  test.each<[unknown, RegExp]>([
    [null, /^the rule is null, expected an object\.$/],
    [[], /^the rule is \[\]/],
    [{}, /^fault is missing, expected either fault or script\.$/],
    [{ fault: hang, script: ["ok"] }, /^fault is "both", expected either/],
    [{ fault: "hang" }, /^fault is "hang", expected an object/],
    [{ fault: {} }, /^fault\.kind is missing, expected "answer" or "hang" or/],
    [{ fault: { kind: "explode" } }, /^fault\.kind is "explode"/],
    [{ fault: { kind: "hang" } }, /^fault\.at is missing, expected "request" or "answer"\.$/],
    [{ fault: { kind: "hang", at: "answer", taken: true } }, /^fault\.taken is not known here/],
    [{ fault: { ...hang, taken: "yes" } }, /^fault\.taken is "yes", expected true or false/],
    [{ fault: { kind: "answer" } }, /^fault\.status is missing/],
    [{ fault: { kind: "answer", status: 103 } }, /^fault\.status is 103/],
    [{ fault: { kind: "answer", status: 600 } }, /^fault\.status is 600/],
    [{ fault: { kind: "answer", status: "200" } }, /^fault\.status is "200"/],
    [{ fault: { kind: "answer", status: 200, headers: { "a b": "c" } } }, /^fault\.headers is /],
    [{ fault: { kind: "answer", status: 200, headers: { a: "b\nc" } } }, /^fault\.headers is /],
    [{ fault: { kind: "answer", status: 200, headers: { a: 1 } } }, /^fault\.headers is /],
    [{ fault: { kind: "answer", status: 200, headers: [] } }, /^fault\.headers is \[\]/],
    [{ fault: { kind: "answer", status: 200, body: 1 } }, /^fault\.body is 1, expected a text/],
    [{ fault: { kind: "answer", status: 200, boddy: "" } }, /^fault\.boddy is not known here/],
    [{ fault: { kind: "drip" } }, /^fault\.bytesPerSecond is missing/],
    [{ fault: { kind: "drip", bytesPerSecond: 0 } }, /^fault\.bytesPerSecond is 0/],
    [{ fault: { kind: "drip", bytesPerSecond: 1, status: 204 } }, /^fault\.status is 204/],
    [{ fault: { kind: "reset", at: "never" } }, /^fault\.at is "never"/],
    [
      { fault: { kind: "reset", at: "answer", code: "OOPS" } },
      /^fault\.code is "OOPS", expected "NO_/,
    ],
    [{ fault: { kind: "reset", at: "answer", code: -1 } }, /^fault\.code is -1/],
    [{ fault: { kind: "settings" } }, /^fault\.maxConcurrentStreams is missing/],
    [{ fault: { kind: "settings", maxConcurrentStreams: 1.5 } }, /^fault\.maxConcurrentStreams/],
    [{ fault: { kind: "goaway", lastStreamId: 2 } }, /^fault\.lastStreamId is 2, .*odd number/],
    [{ fault: { kind: "goaway", lastStreamId: "next" } }, /^fault\.lastStreamId is "next"/],
    [{ fault: { kind: "refuse-vapid", because: "no" } }, /^fault\.because is "no"/],
    [{ fault: { kind: "rate-limit", as: "mozilla", limit: 1, windowSeconds: 1 } }, /^fault\.as is/],
    [{ fault: { kind: "rate-limit", as: "fcm", limit: 1 } }, /^fault\.windowSeconds is missing/],
    [{ fault: { kind: "rate-limit", as: "fcm", limit: -1, windowSeconds: 1 } }, /^fault\.limit/],
    [{ fault: { kind: "refuse-connections" }, path: "/a" }, /^path is "\/a", expected none/],
    [
      { fault: { kind: "refuse-connections" }, timesPerEndpoint: 1 },
      /^timesPerEndpoint is 1, expected none/,
    ],
    [{ script: [] }, /^script is \[\]/],
    [{ script: "ok" }, /^script is "ok"/],
    [{ script: ["ok", "bad"] }, /^script\[1\] is "bad", expected an object/],
    [{ script: ["ok", { kind: "hang" }] }, /^script\[1\]\.at is missing/],
    [{ script: [{ kind: "refuse-connections" }] }, /^script\[0\]\.kind is "refuse-connections"/],
    [
      { script: [{ kind: "rate-limit", as: "fcm", limit: 1, windowSeconds: 1 }] },
      /^script\[0\]\.kind is "rate-limit"/,
    ],
    [{ script: ["ok"], times: 2 }, /^times is not known here/],
    [{ script: ["ok"], timesPerEndpoint: 2 }, /^timesPerEndpoint is not known here/],
    [{ fault: hang, times: 0 }, /^times is 0/],
    [{ fault: hang, timesPerEndpoint: 0 }, /^timesPerEndpoint is 0/],
    [{ fault: hang, share: 1.1 }, /^share is 1\.1/],
    [{ fault: hang, share: Number.NaN }, /^share is null/],
    [{ fault: hang, after: -1 }, /^after is -1/],
    [{ fault: hang, path: "a" }, /^path is "a", expected a path that begins with \//],
    [{ fault: hang, origin: "https://other.example" }, /^origin is "https:\/\/other\.example"/],
    [{ fault: hang, orign: origins[0] }, /^orign is not known here: expected origin, path, share/],
  ])("%j", (rule, sentence) => {
    let error: unknown;
    try {
      read(rule);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PushLabError);
    expect(error).toMatchObject({
      code: "invalid-fault",
      message: expect.stringMatching(sentence),
    });
  });
});
