import { createECDH, diffieHellman, generateKeyPairSync, randomBytes } from "node:crypto";
import webPush from "web-push";
import { importPublicKey } from "../packages/server/src/webpush/p256.ts";
import { buildPushRequest } from "../packages/server/src/webpush/request.ts";
import { parsePushKeys, seal, type PushKeys } from "../packages/server/src/webpush/seal.ts";
import {
  createVapidTokens,
  generateVapidKeys,
  importVapidKeys,
} from "../packages/server/src/webpush/vapid.ts";
import type { Bench } from "./bench.ts";
import { measure, ratioOf, spreadOf, type Rates, type Spread } from "./rounds.ts";
import { floorRate, opensslSpeed, opensslVersion, type OpensslSpeed } from "./seal/openssl.ts";
import { tableOf } from "./table.ts";

const payloadBytes = 300;
const subscriptionCount = 1000;
const subject = "mailto:ops@example.com";
/** Times web-push. Below this the full run fails. */
const leastRatio = 2.5;
/** Whole requests per second. Whether a machine reaches them is said, not held: they depend on it. */
const goals = [8_000, 12_000];

/**
 * Messages made ready to send, per second and thread: a fresh key pair each, another subscription each time. web-push
 * signs a VAPID token for every message; Sineta keeps one per push service.
 */
export const sealBench: Bench = {
  name: "sealed messages per second, one thread",
  run({ short }) {
    const subscriptions = makeSubscriptions();
    const payload = randomBytes(payloadBytes);
    const { publicKey, privateKey } = generateVapidKeys();
    const vapidKey = importVapidKeys(publicKey, privateKey);
    const parts = {
      policy: { hosts: [], routes: [] },
      tokens: createVapidTokens({ subject, now: Date.now }),
    };
    const pick = (turn: number): Subscription =>
      subscriptions[turn % subscriptionCount] ?? fail("no subscription");

    const contenders = [
      {
        name: "sineta, whole request",
        once: (turn: number) => {
          const { endpoint, p256dh, auth } = pick(turn);
          const subscription = { endpoint, p256dh, auth };
          const push = { subscription, vapidKey, plaintext: payload, ttlSeconds: 60 };
          if ("kind" in buildPushRequest(push, parts)) fail("not built");
        },
      },
      { name: "sineta, seal alone", once: (turn: number) => seal(payload, pick(turn).keys) },
      {
        name: "node:crypto: key pair and ECDH alone",
        once: (turn: number) => keyPairAndEcdh(pick(turn).keys),
      },
      {
        name: "web-push generateRequestDetails",
        once: (turn: number) => {
          const { endpoint, p256dh, auth } = pick(turn);
          const vapidDetails = { subject, publicKey, privateKey };
          const options = { TTL: 60, urgency: "normal", vapidDetails };
          webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, options);
        },
      },
    ];
    const version = opensslVersion();
    const speeds: OpensslSpeed[] = [];
    const openssl = {
      name: `floor of OpenSSL ${version}: ECDH, signature`,
      rate() {
        const speed = opensslSpeed();
        speeds.push(speed);
        return floorRate(speed);
      },
    };
    const [whole, sealed, documented, peer, opensslFloor] = measure(
      version === null ? contenders : [...contenders, openssl],
      short ? { rounds: 2, sliceMs: 150 } : { rounds: 15, sliceMs: 400 },
    );
    if (!whole || !sealed || !documented || !peer) return fail("a contender was not measured");

    const measured = [whole, sealed, documented, peer, ...(opensslFloor ? [opensslFloor] : [])];
    console.log(tableOf([["", "per second", "lowest and highest"], ...measured.map(rateRow)]));
    if (opensslFloor === undefined) console.log("no floor of OpenSSL: there is no command openssl");
    else console.log(partsLine(speeds));
    const ratio = ratioOf(whole, peer);
    const ratios = [
      ratioRow("whole request / web-push", ratio),
      ratioRow("seal alone / web-push", ratioOf(sealed, peer)),
      ratioRow("seal alone / node:crypto", ratioOf(sealed, documented)),
      ...(opensslFloor === undefined
        ? []
        : [
            ratioRow("seal alone / floor of OpenSSL", ratioOf(sealed, opensslFloor)),
            ratioRow("whole request / floor of OpenSSL", ratioOf(whole, opensslFloor)),
          ]),
    ];
    console.log(`\n${tableOf([["", "times", "lowest and highest"], ...ratios])}`);
    const { median } = spreadOf(whole.perSecond);
    const reached = goals.map((goal) => `${goal} /s ${median >= goal ? "reached" : "not reached"}`);
    console.log(`\nWhole requests on this machine: ${reached.join(", ")}.`);
    const passed = short || ratio.median >= leastRatio;
    if (!passed) console.log(`  FAILED: a whole request is to be made ${leastRatio} times as fast`);
    return { passed };
  },
};

type Subscription = { endpoint: string; p256dh: string; auth: string; keys: PushKeys };

/** As many browsers, spread over three push services. */
function makeSubscriptions(): Subscription[] {
  const places = [
    "https://fcm.googleapis.com/fcm/send/",
    "https://updates.push.services.mozilla.com/wpush/v2/",
    "https://web.push.apple.com/",
  ];
  return Array.from({ length: subscriptionCount }, (_, index) => {
    const p256dh = createECDH("prime256v1").generateKeys("base64url");
    const auth = randomBytes(16).toString("base64url");
    const parsed = parsePushKeys(p256dh, auth);
    if (!parsed.ok) return fail("keys that cannot be read");
    const place = places[index % places.length] ?? "";
    const endpoint = place + randomBytes(100).toString("base64url");
    return { endpoint, p256dh, auth, keys: parsed.keys };
  });
}

/** What no sender can leave out, by what node:crypto documents. */
function keyPairAndEcdh({ p256dh }: PushKeys): Buffer {
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "prime256v1",
    publicKeyEncoding: { format: "raw-public" },
  });
  return diffieHellman({ privateKey, publicKey: importPublicKey(p256dh) });
}

/** What the floor of OpenSSL is made of. */
function partsLine(speeds: readonly OpensslSpeed[]): string {
  const [ecdh, sign] = (["ecdh", "sign"] as const).map((part) =>
    Math.round(1e6 / spreadOf(speeds.map((speed) => speed[part])).median),
  );
  return `Floor of OpenSSL, by its command's own "speed": one ECDH on P-256, ${ecdh} us, and one ECDSA signature, ${sign} us, which stands
for the key pair: it is the same multiplication of the base point, and a little more. Node has an OpenSSL of its own, ${process.versions.openssl}.`;
}

function rateRow({ name, perSecond }: Rates): string[] {
  const { median, least, most } = spreadOf(perSecond);
  const [middle = "", low, high] = [median, least, most].map((rate) => rate.toFixed(0));
  return [name, middle, `${low} to ${high}`];
}

function ratioRow(name: string, { median, least, most }: Spread): string[] {
  const [middle = "", low, high] = [median, least, most].map((ratio) => ratio.toFixed(2));
  return [name, middle, `${low} to ${high}`];
}

function fail(message: string): never {
  throw new Error(message);
}
