import { expect, test } from "vitest";
import type { AuditEntry } from "../../store/port.ts";
import { auditedFailures, createLogInAudit } from "./log-in-audit.ts";

function bench() {
  const lines: AuditEntry[] = [];
  const append = async (entry: AuditEntry) => void lines.push(entry);
  return { lines, auditFailure: createLogInAudit({ audit: { append }, now: () => 7 }) };
}

test("a failed log-in leaves a line with what was typed, shortened", async () => {
  const { lines, auditFailure } = bench();
  await auditFailure(`ana@${"x".repeat(300)}`, "192.0.2.1", "password");
  await auditFailure("Ana@Site.example", "192.0.2.1", "second-factor");
  expect(lines[0]).toMatchObject({ subject: `ana@${"x".repeat(196)}` });
  expect(lines[1]).toEqual({
    actor: { kind: "nobody", name: "" },
    address: "192.0.2.1",
    projectId: null,
    action: "operator.log-in-refused",
    subject: "Ana@Site.example",
    change: { reason: "second-factor" },
  });
});

test("what has no @ may be a password: it is not written down", async () => {
  const { lines, auditFailure } = bench();
  await auditFailure("sete quedas de madeira", "192.0.2.1", "password");
  expect(JSON.stringify(lines)).not.toContain("quedas");
  expect(lines).toHaveLength(1);
});

test("one address, a whole /64 of IPv6, leaves so many lines a minute; so do all together", async () => {
  const { lines, auditFailure } = bench();
  for (let index = 0; index < 50; index += 1) {
    await auditFailure("ana@site.example", `2001:db8::${index}`, "password");
  }
  expect(lines).toHaveLength(auditedFailures.perAddress);
  for (let index = 0; index < 250; index += 1) {
    await auditFailure("ana@site.example", `192.0.2.${index}`, "password");
  }
  expect(lines).toHaveLength(auditedFailures.inAll);
});
