import { createHash, randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { dice } from "./dice.ts";

export type SeedInto = {
  database: DatabaseSync;
  projectId: number;
  vapidKeyId: number;
  /** One serves all: what is sealed for it is as much work as for any. */
  p256dh: string;
  nowMs: number;
};

const dayMs = 24 * 60 * 60 * 1000;
const days = 365;
/** One of so many was lost. */
const lostOf = 5;
/** In one transaction. */
const portion = 20_000;

/** Push origin, browser, system; how many of a hundred. */
const kinds = [
  [41, "https://fcm.googleapis.com", "chrome", "android"],
  [22, "https://fcm.googleapis.com", "chrome", "windows"],
  [6, "https://fcm.googleapis.com", "chrome", "macos"],
  [3, "https://fcm.googleapis.com", "chrome", "linux"],
  [6, "https://wns2-par02p.notify.windows.com", "edge", "windows"],
  [5, "https://fcm.googleapis.com", "samsung", "android"],
  [3, "https://fcm.googleapis.com", "opera", "windows"],
  [5, "https://updates.push.services.mozilla.com", "firefox", "windows"],
  [3, "https://updates.push.services.mozilla.com", "firefox", "linux"],
  [4, "https://web.push.apple.com", "safari", "macos"],
  [2, "https://fcm.googleapis.com", "other", "android"],
] as const;
const locales = [
  [70, "pt-BR"],
  [8, "pt-PT"],
  [9, "es-419"],
  [7, "en-US"],
  [2, "de"],
  [2, "fr-FR"],
  [1, "ja"],
  [1, null],
] as const;
const zones = [
  [60, "America/Sao_Paulo"],
  [15, "America/Recife"],
  [10, "America/Manaus"],
  [10, "Europe/Lisbon"],
  [5, null],
] as const;

/**
 * Registrations of which so many are live today, made over a year, more of them from month to month. A fifth of all was lost: three
 * quarters as gone, the rest have left; some got another subscription. Through the tables' own triggers, in the order of time.
 */
export function seedRegistrations(into: SeedInto, live: number): void {
  const count = Math.ceil((live * lostOf) / (lostOf - 1));
  const { database, projectId, vapidKeyId, p256dh, nowMs } = into;
  const { below, weighted } = dice(7);
  const topics = database.prepare(
    "insert into topics (project_id, name, policy, created_at_ms) values (?, ?, ?, ?) returning id",
  );
  const topicIds = ["ofertas", "receitas", "pedidos", "pao-quente"].map((name, index) =>
    Number(
      topics.get(projectId, name, index === 2 ? "kept" : "open", nowMs - days * dayMs)?.["id"],
    ),
  );
  const insert = database.prepare(
    `insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth, vapid_key_id,
      push_origin, push_service, origin, locale, time_zone, user_id, browser, system, created_at_ms, refreshed_at_ms)
    values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, push_service_of(?9), 'https://site.example', ?10, ?11, ?12, ?13, ?14, ?15, ?16)`,
  );
  const end = database.prepare(
    `update registrations set ended_at_ms = ?, end_reason = ?, endpoint = null, endpoint_hash = null, p256dh = null,
      auth = null, client_secret_hash = iif(?2 = 'left', null, client_secret_hash) where id = ?3`,
  );
  const renew = database.prepare(
    "update registrations set generation = generation + 1, renewed_at_ms = ?1, refreshed_at_ms = ?1 where id = ?2",
  );
  const join = database.prepare("insert into registration_topics values (?, ?, ?)");
  const auth = randomBytes(16).toString("base64url");

  for (let from = 0; from < count; from += portion) {
    database.exec("begin immediate");
    for (let index = from; index < Math.min(count, from + portion); index += 1) {
      // The square root makes the later months the larger ones.
      const createdMs = Math.floor(nowMs - days * dayMs * (1 - Math.sqrt((index + 1) / count)));
      const [, pushOrigin, browser, system] = weighted(kinds);
      const endpoint = `${pushOrigin}/push/${index}-${randomBytes(24).toString("base64url")}`;
      const ageMs = nowMs - createdMs;
      const seenMs = createdMs + Math.floor((ageMs * below(1000)) / 1000);
      const { lastInsertRowid: id } = insert.run(
        projectId,
        randomBytes(32).toString("base64url"),
        randomBytes(32),
        endpoint,
        createHash("sha256").update(endpoint).digest(),
        p256dh,
        auth,
        vapidKeyId,
        pushOrigin,
        weighted(locales)[1],
        weighted(zones)[1],
        below(5) === 0 ? `reader-${below(count / 3)}` : null,
        browser,
        system,
        createdMs,
        seenMs,
      );
      for (const [place, topicId] of topicIds.entries()) {
        if (below(4 + place * 6) === 0) join.run(topicId, id, createdMs);
      }
      if (below(40) === 0) renew.run(seenMs, id);
      if (below(lostOf) === 0) {
        const reason = below(4) === 0 ? "left" : "gone";
        end.run(createdMs + Math.floor((ageMs * below(1000)) / 1000), reason, id);
      }
    }
    database.exec("commit");
  }
  database.exec(
    `delete from registration_topics where registration_id in (select id from registrations where end_reason = 'left');
    insert into proven_origins select distinct push_origin, vapid_key_id, ${nowMs} from registrations`,
  );
}

/** What a server would have removed by now: whoever ended more than 30 days ago. The figures of days stay. */
export function removeOld({ database, nowMs }: SeedInto): void {
  const before = nowMs - 30 * dayMs;
  database.exec("begin immediate");
  for (const sql of [
    `delete from registration_topics where registration_id in
      (select id from registrations where ended_at_ms < ${before})`,
    `delete from registrations where ended_at_ms < ${before}`,
  ]) {
    database.exec(sql);
  }
  database.exec("commit");
}
