/** What a browser brings to a registration, made for tests. The keys are real ones. */
import { createECDH, randomBytes } from "node:crypto";
import type { RegistrationRequest } from "@sineta/protocol";

export type TestBrowser = {
  clientSecret: string;
  subscription: RegistrationRequest["subscription"];
};

export function testBrowser(over: Partial<TestBrowser> = {}): TestBrowser {
  return {
    clientSecret: randomBytes(32).toString("base64url"),
    subscription: testSubscription(),
    ...over,
  };
}

export function testSubscription(host = "fcm.googleapis.com"): RegistrationRequest["subscription"] {
  return {
    endpoint: `https://${host}/fcm/send/${randomBytes(16).toString("base64url")}`,
    keys: {
      p256dh: createECDH("prime256v1").generateKeys("base64url"),
      auth: randomBytes(16).toString("base64url"),
    },
  };
}
