/** What passes between the thread that has HTTP and a reader thread, by structured clone. */

/** What a reader thread is started with. */
export type ReaderData = { path: string };

/** A query as it is compiled. */
export type Query = { sql: string; parameters: readonly unknown[] };

export type ToReader =
  | { kind: "read"; query: Query }
  /** To close the database, and to end by itself. */
  | { kind: "close" };

/** Of each query, in order. A clone of an error loses what SQLite has put on it: that comes beside it. */
export type Answer = { rows: unknown[] } | { error: unknown; fields: object };
