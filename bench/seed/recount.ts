import type { DatabaseSync } from "node:sqlite";

/** Counts everything of registrations again that triggers keep. @returns what differs; empty: it is all right */
export function recount(database: DatabaseSync): string[] {
  const kinds = [
    ["push-origin", "push_origin"],
    ["browser", "browser"],
    ["system", "system"],
    ["language", "language"],
  ] as const;
  const queries: [string, string][] = [
    ...kinds.map(([kind, column]): [string, string] => [
      `live by ${kind}`,
      `select count(*) as differs from (
        select project_id, value, live from audience_live where kind = '${kind}'
        except select project_id, ${column}, count(*) from registrations where ended_at_ms is null group by 1, 2)`,
    ]),
    [
      "live in all",
      `select count(*) as differs from projects where live_registrations <>
        (select count(*) from registrations where project_id = projects.id and ended_at_ms is null)
        or live_registrations <> (select coalesce(sum(live), 0) from audience_live
          where project_id = projects.id and kind = 'browser')`,
    ],
    [
      "days",
      `select count(*) as differs from projects where live_registrations <>
        (select coalesce(sum(registered + returned - "left" - gone - removed), 0) from audience_days
          where project_id = projects.id)`,
    ],
    [
      "registered by day",
      `select count(*) as differs from (
        select project_id, day, registered from audience_days where registered > 0
        except select project_id, created_at_ms / 86400000, count(*) from registrations group by 1, 2)`,
    ],
    [
      "lost by day",
      `select count(*) as differs from (
        select project_id, day, "left", gone from audience_days where "left" + gone > 0
        except select project_id, ended_at_ms / 86400000, sum(end_reason = 'left'), sum(end_reason = 'gone')
          from registrations where ended_at_ms is not null group by 1, 2)`,
    ],
    [
      "topics",
      `select count(*) as differs from topics where live_registrations <>
        (select count(*) from registration_topics join registrations on registrations.id = registration_id
          where topic_id = topics.id and ended_at_ms is null)`,
    ],
  ];
  return differing(database, queries);
}

/** Counts everything of messages again that triggers keep, as `recount` does. */
export function recountMessages(database: DatabaseSync): string[] {
  const counted = `select message_id, push_origin, kind, reason, detail, count(*)
    from message_exceptions where kind in ('retry', 'rejected', 'failed') group by 1, 2, 3, 4, 5`;
  const kept = "select * from exception_counts";
  return differing(database, [
    [
      "exceptions counted",
      `select count(*) as differs from (select * from (${kept}) except select * from (${counted}))`,
    ],
    [
      "exceptions not counted",
      `select count(*) as differs from (select * from (${counted}) except select * from (${kept}))`,
    ],
    [
      "figures by push service",
      `select count(*) as differs from (
        select id, planned_count, accepted, gone, retry, rejected, failed from messages where planned_count > 0
        except select message_id, sum(planned), sum(accepted), sum(gone), sum(retry), sum(rejected), sum(failed)
          from message_services group by 1)`,
    ],
    [
      "each planned registration in exactly one of the five counts",
      `select count(*) as differs from messages
        where state = 'done' and planned_count <> accepted + gone + retry + rejected + failed`,
    ],
  ]);
}

function differing(
  database: DatabaseSync,
  queries: readonly [name: string, sql: string][],
): string[] {
  return queries.flatMap(([name, sql]) => {
    const count = Number(database.prepare(sql).get()?.["differs"]);
    return count === 0 ? [] : [`${name} (${count})`];
  });
}
