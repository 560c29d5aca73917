/** What the tests of query plans stand on. */
import type { DatabaseSync } from "node:sqlite";
import type { Compilable } from "kysely";

/** Many registrations, a topic that all are in and one with few, a user with a few; and what SQLite learns of it. */
export function fill(database: DatabaseSync): void {
  database.exec(`
    insert into projects (id, name, created_at_ms) values (1, 'default', 0);
    insert into vapid_keys values (1, 1, 'key', x'00', 0, null);
    insert into topics (id, project_id, name, policy, created_at_ms)
      values (1, 1, 'large', 'open', 0), (2, 1, 'small', 'open', 0);
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 5000)
    insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
      vapid_key_id, push_service, push_origin, origin, user_id, created_at_ms, refreshed_at_ms)
    select 1, 'token ' || n, x'00', 'e' || n, cast('e' || n as blob), 'p', 'a', 1, 'o', 'o', 'o',
      iif(n % 1000 = 0, 'baker', null), 0, 0 from number;
    insert into registration_topics select 1, id, 0 from registrations;
    insert into registration_topics select 2, id, 0 from registrations where id % 1000 = 0;
    analyze;
  `);
}

/**
 * What SQLite reads for a query, as it tells of it (SQLite documentation, "EXPLAIN QUERY PLAN"): without the brackets of
 * a plan (`held` is the one row of a condition's lookups), what is sorted (never more than was read), and the lists that a query brings along.
 */
export function readsOf(database: DatabaseSync, query: Compilable): string[] {
  // What is bound does not change the plan.
  const rows = database.prepare(`explain query plan ${query.compile().sql}`).all();
  return rows
    .map((row) => String(row["detail"]))
    .filter(
      (step) =>
        !/SUBQUERY|CO-ROUTINE|SCAN held|CONSTANT ROW|BLOOM|json_each|TEMP B-TREE/.test(step),
    );
}

/** The steps of a statement's plan, all of them. */
export function planOf(database: DatabaseSync, sql: string): string[] {
  return database
    .prepare(`explain query plan ${sql}`)
    .all()
    .map((row) => String(row["detail"]));
}

/**
 * Lets SQLite believe that the largest table has a million rows: what ANALYZE has found is multiplied. What there are few of for
 * each value stays so, what many rows have in common grows with them.
 */
export function asOfAMillion(database: DatabaseSync): void {
  const found = database.prepare("select rowid, stat from sqlite_stat1").all();
  const numbers = found.map((row) => ({ row, stat: String(row["stat"]).split(" ").map(Number) }));
  const times = 1_000_000 / Math.max(...numbers.map(({ stat }) => stat[0] ?? 0));
  const write = database.prepare("update sqlite_stat1 set stat = ? where rowid = ?");
  for (const { row, stat } of numbers) {
    const [rows = 0] = stat;
    // Few rows are settings, or what is open at the time: there are not more of them.
    if (rows < 1_000) continue;
    const grown = stat.map((count) => (count * 20 >= rows ? Math.round(count * times) : count));
    write.run(grown.join(" "), Number(row["rowid"]));
  }
  database.exec("analyze sqlite_schema");
}
