/** A browser that comes back tells its loss. The story and the figures of the audience have it. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { audienceLossesSchema, registrationStorySchema } from "@sineta/protocol";
import { appBench, expectProblem, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser, testSubscription, type TestBrowser } from "../test/browser.ts";

const dayMs = 24 * 60 * 60 * 1000;

let bench: AppBench;
let nowMs: number;
let browser: TestBrowser;
let token: string;
beforeEach(async () => {
  nowMs = 1_000;
  bench = await appBench({ browsersNow: () => nowMs });
  browser = testBrowser();
  token = await tokenOf(await bench.post(browser));
});
afterEach(() => bench.close());

const losses = async (query = "?from=1970-01-01&to=1970-01-30") => {
  const response = await bench.ask(`audience/losses${query}`, await bench.key());
  return audienceLossesSchema.parse(await response.json()).losses;
};
const returnIn = async (of: string) => {
  const response = await bench.ask(`registrations/${of}`, await bench.key());
  const { events } = registrationStorySchema.parse(await response.json());
  return events.find(({ kind }) => kind === "returned");
};
/** Registers with a new subscription, and tells that loss. */
async function comeBack(loss?: object): Promise<void> {
  browser = { ...browser, subscription: testSubscription() };
  expect((await bench.post(browser, { more: { token, loss } })).status).toBe(200);
}

describe("a browser that comes back", () => {
  test("tells its loss: the story and the figures have it", async () => {
    nowMs = dayMs;
    await comeBack({ cause: "worker-missing", confirmedAtMs: 1_000 });
    expect(await returnIn(token)).toEqual({
      kind: "returned",
      at: "1970-01-02T00:00:00.000Z",
      cause: "worker-missing",
      times: 1,
    });
    expect(await losses()).toEqual([{ cause: "worker-missing", lost: 1, returned: 1 }]);
    expect(await losses("?from=1970-01-03&to=1970-01-30")).toEqual([]);
  });

  test("tells the cause after a 410: the loss counts under that cause, and under `gone` no more", async () => {
    await bench.deliver(token, "gone");
    expect(await losses()).toEqual([{ cause: "gone", lost: 1, returned: 0 }]);
    nowMs = dayMs;
    await comeBack({ cause: "subscription-missing", confirmedAtMs: 1_000 });
    expect(await returnIn(token)).toMatchObject({
      cause: "subscription-missing",
      goneAt: "1970-01-01T00:00:01.000Z",
    });
    // On the day on which it was lost.
    expect(await losses("?from=1970-01-01&to=1970-01-01")).toEqual([
      { cause: "subscription-missing", lost: 1, returned: 1 },
    ]);
  });

  test("counts under `gone` if it tells no cause after a 410", async () => {
    await bench.deliver(token, "gone");
    await comeBack();
    expect(await returnIn(token)).toMatchObject({ cause: "gone", times: 1 });
    expect(await losses()).toEqual([{ cause: "gone", lost: 1, returned: 1 }]);
  });

  test("counts once after the server has refused its dead endpoint", async () => {
    await bench.deliver(token, "accepted");
    await bench.deliver(token, "gone");
    const loss = { cause: "subscription-gone", confirmedAtMs: 1_000 };
    await expectProblem(await bench.post(browser, { more: { token, loss } }), "subscription-gone");
    expect(await losses()).toEqual([{ cause: "gone", lost: 1, returned: 0 }]);
    await comeBack(loss);
    expect(await losses()).toEqual([{ cause: "subscription-gone", lost: 1, returned: 1 }]);
  });

  test("counts once if it got no answer, and tells the same loss again", async () => {
    await comeBack({ cause: "key-changed", confirmedAtMs: 1 });
    for (const cause of ["key-changed", "worker-replaced", "worker-replaced"]) {
      const loss = { cause, confirmedAtMs: 1 };
      expect((await bench.post(browser, { more: { token, loss } })).status).toBe(200);
    }
    expect(await losses()).toEqual([
      { cause: "key-changed", lost: 1, returned: 1 },
      { cause: "worker-replaced", lost: 1, returned: 1 },
    ]);
  });

  test("has no loss if it names no earlier registration", async () => {
    const loss = { cause: "worker-missing", confirmedAtMs: 1_000 };
    for (const more of [{ loss }, { loss, userToken: null }]) {
      const another = await tokenOf(await bench.post(testBrowser(), { more }));
      expect(await returnIn(another)).toBeUndefined();
    }
    expect(await losses()).toEqual([]);
  });

  test.for(["storage-cleared", "gone"])(
    "registers, and has no loss, if it tells the cause %s, which this server does not know",
    async (cause) => {
      await comeBack({ cause, confirmedAtMs: 1 });
      expect(await returnIn(token)).toBeUndefined();
      await bench.deliver(token, "gone");
      await comeBack({ cause, confirmedAtMs: 1 });
      expect(await returnIn(token)).toMatchObject({ cause: "gone" });
    },
  );

  test.for([
    { cause: "worker-missing" },
    { cause: "worker-missing", confirmedAtMs: 0.5 },
    { cause: "worker-missing", confirmedAtMs: "1" },
    { cause: "x".repeat(65), confirmedAtMs: 1 },
    "worker-missing",
  ])("is refused if it tells %j", async (loss) => {
    await expectProblem(await bench.post(browser, { more: { token, loss } }), "body-invalid");
    expect(await losses()).toEqual([]);
  });

  test("tells of none by null", async () => {
    expect((await bench.post(browser, { more: { token, loss: null } })).status).toBe(200);
    expect(await losses()).toEqual([]);
  });

  test("may have a wrong clock", async () => {
    await comeBack({ cause: "worker-missing", confirmedAtMs: -8_640_000_000_000_000 });
    expect(await losses()).toEqual([{ cause: "worker-missing", lost: 1, returned: 1 }]);
  });
});

test("the server lists each loss under one cause, the most frequent cause first", async () => {
  await bench.startMessage();
  const others: { browser: TestBrowser; token: string }[] = [];
  for (let count = 0; count < 6; count += 1) {
    const other = testBrowser();
    others.push({ browser: other, token: await tokenOf(await bench.post(other)) });
  }
  const [left, removed, ...gone] = others.map((each) => each.token);
  await bench.remove(left ?? "", others[0]?.browser.clientSecret ?? "");
  const { headers } = await bench.operator("editor");
  const path = `/v1/projects/default/registrations/${removed}/remove`;
  await bench.app.request(path, { method: "POST", headers });
  for (const each of gone) await bench.deliver(each, "gone");
  await comeBack({ cause: "worker-missing", confirmedAtMs: 1 });
  await comeBack({ cause: "worker-missing", confirmedAtMs: 2 });
  expect(await losses()).toEqual([
    { cause: "gone", lost: 4, returned: 0 },
    { cause: "worker-missing", lost: 2, returned: 2 },
    { cause: "left", lost: 1, returned: 0 },
    { cause: "removed", lost: 1, returned: 0 },
  ]);
  await expectProblem(
    await bench.ask("audience/losses?from=1970-01-02&to=1970-01-01", await bench.key()),
    "body-invalid",
  );
});
