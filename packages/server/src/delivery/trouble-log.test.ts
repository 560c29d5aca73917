import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../log.ts";
import type { Delivered } from "../store/port.ts";
import { deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { createBreakers } from "./breakers.ts";
import { createTroubleLog } from "./trouble-log.ts";

type Line = { level: number; msg: string } & Record<string, unknown>;

/** A log on a clock of its own. */
function scene() {
  const clock = { nowMs: 1_000_000 };
  const lines: Line[] = [];
  const log = createLog("info", { write: (text) => lines.push(JSON.parse(text) as Line) });
  const now = () => clock.nowMs;
  return { clock, lines, log, now, troubles: createTroubleLog({ log, now }) };
}

const dead = (index: number, reason = "name-not-resolved"): Delivered => ({
  registrationId: index,
  generation: 1,
  pushOrigin: `https://x${index}.notify.windows.com`,
  kind: "retry",
  reason,
  detail: `${index}`,
  dueAtMs: 0,
  counted: true,
});

describe("what was not accepted", () => {
  test("of five thousand dead hosts is a line for each reason and minute, with how many there would have been", () => {
    const { clock, lines, troubles } = scene();
    for (let index = 0; index < 5_000; index += 1) {
      troubles.tell("message", "windows", [dead(index, index % 2 === 0 ? "even" : "odd")]);
      clock.nowMs += 10;
    }
    expect(lines).toMatchObject([
      { reason: "even", pushService: "windows", pushOrigin: dead(0).pushOrigin, registrations: 1 },
      { reason: "odd" },
    ]);
    expect(lines[0]).not.toHaveProperty("linesNotWritten");
    clock.nowMs += 10_000;
    troubles.tell("message", "windows", [dead(1, "even")]);
    troubles.tell("message", "windows", [dead(2, "even")]);
    expect(lines.slice(2)).toMatchObject([{ reason: "even", linesNotWritten: 2_499 }]);
  });

  test("says of one page how many registrations, and leaves out who was accepted or is gone", () => {
    const { lines, troubles } = scene();
    const who = { registrationId: 1, generation: 1, pushOrigin: "https://push.example" };
    troubles.tell("message", "mozilla", [
      { ...who, kind: "accepted" },
      { ...who, kind: "gone" },
      { ...who, kind: "rejected", reason: "too-large", detail: "too big" },
      dead(1),
      dead(2),
    ]);
    expect(lines).toMatchObject([
      { level: 40, reason: "too-large", registrations: 1 },
      { level: 30, reason: "name-not-resolved", detail: "1", registrations: 2 },
    ]);
  });

  test("of one push service takes no line from another", () => {
    const { lines, troubles } = scene();
    troubles.tell("message", "windows", [dead(1)]);
    troubles.tell("message", "mozilla", [dead(1)]);
    expect(lines.map(({ pushService }) => pushService)).toEqual(["windows", "mozilla"]);
  });

  test("is told again after a minute, and at once after the clock was put back by more", () => {
    const { clock, lines, troubles } = scene();
    const after = (milliseconds: number) => {
      clock.nowMs += milliseconds;
      troubles.tell("message", "windows", [dead(1)]);
      return lines.length;
    };
    expect([after(0), after(59_999), after(1), after(-59_999), after(-1)]).toEqual([1, 1, 2, 2, 3]);
  });
});

describe("held push origins", () => {
  let bench: DeliveryBench;
  beforeEach(async () => {
    bench = await deliveryBench();
  });
  afterEach(() => bench.close());

  const refused: Outcome = { kind: "rejected", reason: "vapid-refused", status: 403, detail: "" };
  const down: Outcome = { kind: "retry", reason: "connect-failed", notBefore: null, detail: "" };

  function breakersWith(parts: ReturnType<typeof scene>) {
    const metrics = { pushes: () => undefined, breaker: () => undefined };
    const breakers = createBreakers({ ...parts, store: bench.store.store.breakers, metrics });
    const at = (pushOrigin: string) => ({ pushOrigin, vapidKeyId: bench.store.vapidKeyId });
    /** All that may be told of one: it opens, its probe fails, it goes again. */
    async function tellAll(pushOrigin: string): Promise<void> {
      const evidence = await breakers.evidence(at(pushOrigin));
      evidence.note(refused, { registrationId: 1, refusedAtMs: null }, parts.clock.nowMs);
      evidence.pageEnded();
      await breakers.openIf(at(pushOrigin), evidence);
      await breakers.settleProbe(at(pushOrigin), [{ outcome: refused, known: false }]);
      const answered = { kind: "gone", status: 410 } as const;
      await breakers.settleProbe(at(pushOrigin), [{ outcome: answered, known: false }]);
      const again = await breakers.evidence(at(pushOrigin));
      again.note(down, { registrationId: 1, refusedAtMs: null }, parts.clock.nowMs);
      again.pageEnded();
      await breakers.openIf(at(pushOrigin), again);
    }
    return { tellAll };
  }

  test("that have never accepted anything are a line for each kind and minute, however many they are", async () => {
    const parts = scene();
    const { tellAll } = breakersWith(parts);
    for (let index = 0; index < 40; index += 1) {
      await tellAll(`https://x${index}.notify.windows.com`);
      parts.clock.nowMs += 100;
    }
    const told = parts.lines.map(({ level, msg }) => [level, msg.split(" ").slice(0, 4).join(" ")]);
    expect(told).toEqual([
      [50, "the push service refuses"],
      [30, "probe failed"],
      [30, "the push service takes"],
      [40, "the push service accepts"],
    ]);
    parts.clock.nowMs += 60_000;
    await tellAll("https://y.notify.windows.com");
    expect(parts.lines.slice(4)).toMatchObject(
      Array.from({ length: 4 }, () => ({ linesNotWritten: 39 })),
    );
  });

  test("that have accepted something are all told of: nobody can make them up", async () => {
    const parts = scene();
    const { tellAll } = breakersWith(parts);
    const proven = ["https://a.notify.windows.com", "https://b.notify.windows.com"] as const;
    bench.prove(...proven);
    await tellAll("https://made-up.notify.windows.com");
    for (const pushOrigin of proven) {
      const before = parts.lines.length;
      await tellAll(pushOrigin);
      expect(parts.lines.slice(before).map((line) => line["pushOrigin"])).toContain(pushOrigin);
    }
  });
});
