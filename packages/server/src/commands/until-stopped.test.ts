import { describe, expect, test } from "vitest";
import { patienceMs, untilStopped } from "./until-stopped.ts";

/** A server that confirms at the look of this index, and is there until the look of that one. */
function parts({ confirmsAt = Infinity, endsAt = Infinity }) {
  const seen = { looks: 0, waitedMs: 0 };
  return {
    seen,
    isServing: () => seen.looks < endsAt,
    isStopping: async () => {
      seen.looks += 1;
      return seen.looks <= confirmsAt;
    },
    pause: async (milliseconds: number) => (seen.waitedMs += milliseconds),
  };
}

describe("a cancelled message", () => {
  test("is confirmed as soon as the server says so", async () => {
    const { seen, ...server } = parts({ confirmsAt: 3 });
    expect(await untilStopped(server)).toBe("confirmed");
    expect(seen).toEqual({ looks: 4, waitedMs: 300 });
  });

  test("waits for no server where none runs, or does any more", async () => {
    const none = parts({ endsAt: 0 });
    expect(await untilStopped(none)).toBe("no-server");
    expect(none.seen).toEqual({ looks: 0, waitedMs: 0 });
    expect(await untilStopped(parts({ endsAt: 2 }))).toBe("no-server");
  });

  test("is not waited for without an end", async () => {
    const { seen, ...server } = parts({});
    expect(await untilStopped(server)).toBe("unconfirmed");
    expect(seen.waitedMs).toBeGreaterThanOrEqual(patienceMs);
  });
});
