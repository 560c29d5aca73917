import { beforeEach, describe, expect, test } from "vitest";
import { addressOf } from "../../test/came-from.ts";
import { heapBytes } from "../../test/heap-bytes.ts";
import {
  createLogInThrottle,
  keysKept,
  logInLimits,
  type LogInThrottle,
} from "./log-in-throttle.ts";

let nowMs: number;
let throttle: LogInThrottle;
beforeEach(() => {
  nowMs = 5_000;
  throttle = createLogInThrottle({ nowMs: () => nowMs });
});

const account = "baker@site.example";
const windowMs = logInLimits.windowSeconds * 1000;

async function attempt(
  address: string | null,
  { to = account, device = null as string | null } = {},
) {
  return throttle.attempt(to, { address, device });
}
/** How many attempts are let through before the first that is not; at most `most`. */
async function countOf(most: number, make: (index: number) => ReturnType<typeof attempt>) {
  for (let count = 0; count < most; count += 1) {
    if ("retryAfterSeconds" in (await make(count))) return count;
  }
  return most;
}
/** Uses up what strangers have for the account, from addresses of their own. */
const exhaust = () => countOf(100, (index) => attempt(`198.51.100.${index}`));

describe("wrong attempts", () => {
  test("from one address for one account: 5, then a pause that is told", async () => {
    expect(await countOf(100, () => attempt("192.0.2.1"))).toBe(5);
    nowMs += 60_000;
    expect(await attempt("192.0.2.1")).toEqual({ retryAfterSeconds: 14 * 60 });
    expect(await attempt("192.0.2.2")).toHaveProperty("wasRight");
    expect(await attempt("192.0.2.1", { to: "florist@site.example" })).toHaveProperty("wasRight");
  });

  test("from one address for many accounts: 30", async () => {
    const toMany = (index: number) => attempt("192.0.2.1", { to: `${index}@site.example` });
    expect(await countOf(100, toMany)).toBe(30);
    expect(await attempt("192.0.2.2")).toHaveProperty("wasRight");
  });

  test("a /64 of IPv6 is one address", async () => {
    expect(await countOf(100, (index) => attempt(`2001:db8:0:1::${index}`))).toBe(5);
    expect(await attempt("2001:db8:0:2::1")).toHaveProperty("wasRight");
  });

  test("from many addresses for one account: 20", async () => {
    expect(await exhaust()).toBe(20);
    expect(await attempt("192.0.2.1")).toHaveProperty("retryAfterSeconds");
  });

  test("from an address that many share use up the account's count alone", async () => {
    expect(await countOf(100, () => attempt(null))).toBe(20);
    const toMany = (index: number) => attempt(null, { to: `${index}@site.example` });
    expect(await countOf(100, toMany)).toBe(100);
  });

  test("of strangers do not shut out a browser that has logged in before", async () => {
    await exhaust();
    await countOf(100, (index) => attempt("192.0.2.1", { to: `${index}@site.example` }));
    const own = { device: "laptop" };
    expect(await countOf(100, () => attempt("192.0.2.1", own))).toBe(10);
    expect(await attempt("192.0.2.1", { device: "phone" })).toHaveProperty("wasRight");
  });

  test("of a browser that has logged in before leave strangers their own count", async () => {
    await countOf(100, () => attempt("192.0.2.1", { device: "laptop" }));
    expect(await exhaust()).toBe(20);
  });

  test("are forgotten after a quarter of an hour, whatever was asked meanwhile", async () => {
    await exhaust();
    nowMs += windowMs - 1;
    expect(await attempt("192.0.2.1")).toEqual({ retryAfterSeconds: 1 });
    nowMs += 1;
    expect(await exhaust()).toBe(20);
  });

  test("that one address is refused for use up nothing of the account's", async () => {
    await countOf(1, () => attempt("192.0.2.1"));
    for (let count = 0; count < 100; count += 1) await attempt("192.0.2.1");
    expect(await exhaust()).toBe(15);
  });
});

describe("right attempts", () => {
  const right = async (device: string | null, to = account) => {
    const made = await attempt("192.0.2.1", { device, to });
    if ("wasRight" in made) made.wasRight();
    return made;
  };

  test("of strangers are never too many", async () => {
    expect(await countOf(200, () => right(null))).toBe(200);
  });

  test("from browsers that have logged in before are counted for all of them: 120", async () => {
    expect(await countOf(1_000, (index) => right(`device ${index % 5}`))).toBe(120);
    expect(await right("another device")).toEqual({ retryAfterSeconds: 15 * 60 });
    // Neither another account nor strangers at this one wait for that.
    expect(await right("laptop", "florist@site.example")).toHaveProperty("wasRight");
    expect(await attempt("192.0.2.1")).toHaveProperty("wasRight");
  });
});

test("many at once do not outrun the count", async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => attempt("192.0.2.1")));
  expect(made.filter((one) => "wasRight" in one)).toHaveLength(5);
});

describe("a flood of made-up accounts from made-up addresses", () => {
  let made = 0;
  async function flood(attempts: number): Promise<void> {
    for (let count = 0; count < attempts; count += 1) {
      await attempt(addressOf((made += 1)), { to: `${made}@nowhere.example` });
    }
  }

  test("takes little memory, however long it lasts", async () => {
    const before = heapBytes();
    await flood(4 * keysKept);
    expect(heapBytes() - before).toBeLessThan(3 * keysKept * 500);
  });

  test("gives neither an account nor an address back what it has used up", async () => {
    const toMany = (index: number) => attempt("192.0.2.1", { to: `${index}@site.example` });
    await countOf(100, toMany);
    await exhaust();
    await flood(4 * keysKept);
    expect(await attempt("192.0.2.1", { to: "new@site.example" })).toHaveProperty(
      "retryAfterSeconds",
    );
    expect(await attempt("192.0.2.2")).toHaveProperty("retryAfterSeconds");
  });

  test("refuses nobody who comes in between", async () => {
    await flood(2 * keysKept);
    expect(await countOf(3, () => attempt("192.0.2.1"))).toBe(3);
  });
});
