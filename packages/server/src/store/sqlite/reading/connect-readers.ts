import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import type { Connection } from "../connection.ts";
import type { Tables } from "../tables.ts";
import type { Readers } from "./readers.ts";

/**
 * Kysely on threads that read: for single queries without an order among them. Each sees everything that was committed when it was
 * begun; nothing is written, and there are no transactions. Whoever closes the readers closes it.
 */
export function connectReaders({ read }: Pick<Readers, "read">): Connection {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row is what Tables say of it, as on every connection
      return { rows: (await read({ sql, parameters })) as Row[] };
    },
    streamQuery: () => {
      throw new Error("what is long is read page by page");
    },
  };
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    beginTransaction: noTransactions,
    commitTransaction: noTransactions,
    rollbackTransaction: noTransactions,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  };
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new ManyReaders(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

const noTransactions = () => Promise.reject(new Error("readers have no transactions"));

/** Kysely lets one query at a time at what it takes for a single connection. */
class ManyReaders extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
