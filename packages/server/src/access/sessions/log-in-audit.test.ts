import { RateLimiterMemory } from "rate-limiter-flexible";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AuditEntry } from "../../store/port.ts";
import { addressOf } from "../../test/came-from.ts";
import { auditedFailures, createLogInAudit } from "./log-in-audit.ts";

function bench() {
  const lines: AuditEntry[] = [];
  const append = async (entry: AuditEntry) => void lines.push(entry);
  return { lines, auditFailure: createLogInAudit({ audit: { append }, now: () => 7 }) };
}

test("a failed log-in leaves a line with the operator who was meant", async () => {
  const { lines, auditFailure } = bench();
  await auditFailure("baker@site.example", "192.0.2.1", "second-factor");
  expect(lines).toEqual([
    {
      actor: { kind: "nobody", name: "" },
      address: "192.0.2.1",
      projectId: null,
      action: "operator.log-in-refused",
      subject: "baker@site.example",
      change: { reason: "second-factor" },
    },
  ]);
});

test("what is no operator's address may be a password: it is not written down", async () => {
  const { lines, auditFailure } = bench();
  await auditFailure(null, "192.0.2.1", "password");
  expect(lines).toMatchObject([{ subject: "(no operator's)" }]);
});

test("one address, a whole /64 of IPv6, leaves so many lines a minute; so do all together", async () => {
  const { lines, auditFailure } = bench();
  for (let index = 0; index < 50; index += 1) {
    await auditFailure("baker@site.example", `2001:db8::${index}`, "password");
  }
  expect(lines).toHaveLength(auditedFailures.perAddress);
  for (let index = 0; index < 250; index += 1) {
    await auditFailure("baker@site.example", `192.0.2.${index}`, "password");
  }
  expect(lines).toHaveLength(auditedFailures.inAll);
});

test("all together leave so many lines a day", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { lines, auditFailure } = bench();
  const attemptsOfAnHour = async () => {
    for (let minute = 0; minute < 60; minute += 1) {
      for (let index = 0; index <= auditedFailures.inAll; index += 1) {
        await auditFailure("baker@site.example", addressOf(index), "password");
      }
      vi.advanceTimersByTime(61_000);
    }
  };
  await attemptsOfAnHour();
  expect(lines).toHaveLength(auditedFailures.inAllPerDay);
  vi.advanceTimersByTime(24 * 3_600_000);
  await attemptsOfAnHour();
  expect(lines).toHaveLength(2 * auditedFailures.inAllPerDay);
});

test("an address is remembered only where there is room for a line", async () => {
  const consume = vi.spyOn(RateLimiterMemory.prototype, "consume");
  const { auditFailure } = bench();
  for (let index = 0; index < 1_000; index += 1) {
    await auditFailure("baker@site.example", addressOf(index), "too-many-attempts");
  }
  expect(new Set(consume.mock.calls.map(([key]) => key)).size).toBe(1 + auditedFailures.inAll);
});
