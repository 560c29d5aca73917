import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "@sineta/protocol";
import { appBench, expectProblem, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser, testSubscription } from "../test/browser.ts";
import { hostileEndpoints } from "../webpush/testing/hostile-endpoints.ts";

let bench: AppBench;
beforeAll(async () => {
  bench = await appBench();
});
afterAll(() => bench.close());

/** What no endpoint is at all does not get as far as the rules. */
const codeFor = (endpoint: string) =>
  endpoint === "" || endpoint.length > limits.endpointCharacters
    ? ("body-invalid" as const)
    : ("endpoint-not-allowed" as const);

/** An endpoint that fits no registration body is told so before it is looked at. */
const tooLongForAnyBody = ({ endpoint }: { endpoint: string }) =>
  endpoint.length > limits.registrationBodyBytes;

describe("registering", () => {
  test.for(hostileEndpoints.filter((each) => !tooLongForAnyBody(each)))(
    "$name: refused, and nothing is stored",
    async ({ endpoint }) => {
      const browser = testBrowser({ subscription: { ...testSubscription(), endpoint } });
      const response = await bench.post(browser);
      const answer = await response.clone().text();
      const { type } = await expectProblem(response, codeFor(endpoint));
      // Whoever tries out what gets through learns nothing from the answer but that this did not.
      const told = answer.replace(type, "");
      expect(endpoint.trim() !== "" && told.includes(endpoint)).toBe(false);
      expect(await bench.live()).toBe(0);
    },
  );

  test("a body that is larger than any registration: refused, and nothing is stored", async () => {
    const larger = hostileEndpoints.filter(tooLongForAnyBody);
    expect(larger).toHaveLength(1);
    for (const { endpoint } of larger) {
      const subscription = { ...testSubscription(), endpoint };
      await expectProblem(await bench.post(testBrowser({ subscription })), "body-too-large");
    }
    expect(await bench.live()).toBe(0);
  });
});

describe("a browser that is registered", () => {
  test("keeps its subscription when it brings a hostile one", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await bench.post(browser));
    const before = await bench.find(token);
    for (const { endpoint } of hostileEndpoints.filter((each) => !tooLongForAnyBody(each))) {
      const subscription = { ...browser.subscription, endpoint };
      const response = await bench.post({ ...browser, subscription }, { more: { token } });
      await expectProblem(response, codeFor(endpoint));
    }
    expect(await bench.find(token)).toEqual(before);
    expect(await bench.live()).toBe(1);
  });
});
