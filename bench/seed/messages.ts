import { randomUUIDv7 } from "node:crypto";
import { indexMessages } from "../../packages/server/src/store/sqlite/search-index.ts";
import { dice } from "./dice.ts";
import type { SeedInto } from "./registrations.ts";

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;
const titles = ["Pão quente às 17h", "Oferta do dia", "Receita da semana", "Seu pedido saiu"];
const failures = [
  ["failed", "expired", "503"],
  ["rejected", "too-large", ""],
  ["failed", "keys-unusable", ""],
  ["failed", "service-unavailable", "503"],
] as const;

/** What the server counts hour by hour. */
type Counted = "accepted" | "displayed" | "clicked" | "closed";

/** The last browser reports after so long. Most of them report within the first hour. */
const reportsMs = 8 * hourMs;

/** Of each message, so many registrations have a row of their own, and so many reported. */
const rowsOfEach = 200;

/**
 * So many messages to all, over a year, all of them done: with some exceptions and receipts each, whose sums stand in their
 * figures.
 */
export function seedMessages(into: SeedInto, count: number): void {
  const { database, projectId, nowMs } = into;
  const { below } = dice(11);
  const last = Number(
    database.prepare("select max(id) as id from registrations").get()?.["id"] ?? 0,
  );
  const insert = database.prepare(
    `insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms, created_at_ms,
      started_at_ms, ended_at_ms, watermark, cursor, planned_count, accepted, rejected, failed, displayed, clicked, closed)
    values (?1, ?2, '{"kind":"all"}', ?3, 86400, 'normal', 'done', ?4, ?4, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)`,
  );
  const exception = database.prepare(
    `insert into message_exceptions (message_id, registration_id, push_origin, kind, generation, attempts, reason, detail,
      first_tried_at_ms, changed_at_ms)
    select ?1, id, push_origin, ?3, 1, ?4, ?5, ?6, ?7, ?7 from registrations where id = ?2`,
  );
  // Batches of messages that have ended are removed, and their figures stay. Whatever was accepted was at one push service.
  const services = database.prepare(
    `insert into message_services (message_id, push_service, planned, accepted, rejected, failed)
    values (?1, 'fcm', ?2, ?2, 0, 0)
    union all
    select message_id, push_service, count(*), 0, sum(kind = 'rejected'), sum(kind = 'failed')
      from message_exceptions join registrations on registrations.id = registration_id
      where message_id = ?1 group by 1, 2
    on conflict do update set planned = planned + excluded.planned, rejected = excluded.rejected,
      failed = excluded.failed`,
  );
  const receipt = database.prepare("insert into receipts values (?, ?, ?, ?, null)");
  const hour = database.prepare(
    `insert into message_hours (message_id, hour_ms, accepted, displayed, clicked, closed) values (?1, ?2, ?3, ?4, ?5, ?6)
    on conflict do update set accepted = accepted + ?3, displayed = displayed + ?4, clicked = clicked + ?5,
      closed = closed + ?6`,
  );
  const countIn = (id: string, atMs: number, counted: Partial<Record<Counted, number>>) => {
    const { accepted = 0, displayed = 0, clicked = 0, closed = 0 } = counted;
    hour.run(id, atMs - (atMs % hourMs), accepted, displayed, clicked, closed);
  };
  const next = database.prepare("select id from registrations where id > ? order by id limit 1");
  database.exec("begin immediate");
  for (let index = 0; index < count; index += 1) {
    const atMs = Math.floor(nowMs - 365 * dayMs * (1 - (index + 1) / count) - 60_000);
    const id = uuidAt(atMs);
    // As the registrations were made (registrations.ts).
    const share = 1 - (nowMs - atMs) / (365 * dayMs);
    const there = Math.max(1, Math.floor(last * share * share));
    // The next that is still there.
    const chosen = new Set(
      Array.from({ length: rowsOfEach }, () => Number(next.get(below(there))?.["id"] ?? last)),
    );
    // Receipts are removed after 90 days; what they were counted to stays.
    const isKept = nowMs - atMs < 90 * dayMs;
    const counts = { rejected: 0, failed: 0, displayed: 0, clicked: 0, closed: 0 };
    const rows: (() => void)[] = [];
    for (const registrationId of chosen) {
      const dueMs = atMs + below(600_000);
      if (below(4) === 0) {
        const [kind, reason, detail] = failures[below(failures.length)] ?? failures[0];
        counts[kind] += 1;
        const attempts = 1 + below(5);
        rows.push(() => exception.run(id, registrationId, kind, attempts, reason, detail, dueMs));
        continue;
      }
      const events = (["displayed", "clicked", "closed"] as const).slice(0, 1 + below(3));
      const reportedMs = Math.min(
        nowMs,
        atMs + Math.floor(reportsMs * (below(1_000) / 1_000) ** 3),
      );
      for (const event of events) {
        counts[event] += 1;
        rows.push(() => countIn(id, reportedMs, { [event]: 1 }));
        if (isKept) rows.push(() => receipt.run(id, registrationId, event, reportedMs));
      }
    }
    const title = `${titles[index % titles.length]} (${index + 1})`;
    const accepted = Math.max(0, Math.floor(there * 0.8) - counts.rejected - counts.failed);
    const planned = accepted + counts.rejected + counts.failed;
    const notification = JSON.stringify({ title, body: "Padaria do bairro" });
    insert.run(
      id,
      projectId,
      notification,
      atMs,
      atMs + 900_000,
      there,
      planned,
      accepted,
      counts.rejected,
      counts.failed,
      counts.displayed,
      counts.clicked,
      counts.closed,
    );
    rows.push(() => countIn(id, atMs, { accepted }));
    for (const write of rows) write();
    services.run(id, accepted);
  }
  indexMessages(database);
  database.exec("commit");
}

/** Version 7, of that time: ids sort as their messages were made. */
function uuidAt(ms: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`;
}
