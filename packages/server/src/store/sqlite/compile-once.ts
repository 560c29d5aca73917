/** Statements that run for every page and request: Kysely makes the SQL of each once, and not again for each call. */
import type { CompiledQuery, QueryExecutorProvider, QueryResult } from "kysely";
import type { Connection } from "./connection.ts";

/** What is bound anew by each call. */
export type Bound = Record<string, string | number | Uint8Array | null>;

/** A query of Kysely's, or plain SQL. */
type Compiles<Row> = { compile(executor: QueryExecutorProvider): CompiledQuery<Row> };

export type Statement<Parameters, Row> = (
  connection: Connection,
  parameters: Parameters,
) => Promise<QueryResult<Row>>;

/**
 * @param build is called once, with values that stand for those of each call: they may be bound, and nothing else. So it is no
 *   place for what depends on a value, such as a list that is written as JSON.
 */
export function compileOnce<Parameters extends Bound, Row>(
  build: (connection: Connection, parameters: Parameters) => Compiles<Row>,
): Statement<Parameters, Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (connection, parameters) => {
    compiled ??= build(connection, new Proxy(Object.create(null), placeholders)).compile(
      connection,
    );
    const bound = compiled.parameters.map((each) =>
      each instanceof Placeholder ? parameters[each.name] : each,
    );
    return connection.executeQuery({ ...compiled, parameters: bound });
  };
}

/** Stands for a value while a statement is built. Whoever looks at it gets an error instead of wrong SQL. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  [Symbol.toPrimitive](): never {
    throw new TypeError(`the value of ${this.name} is not there while the statement is built`);
  }
  toJSON(): never {
    return this[Symbol.toPrimitive]();
  }
}

/** For each name that is asked for, which are those that a statement binds. */
const placeholders: ProxyHandler<Record<PropertyKey, Placeholder>> = {
  get(byName, name) {
    return (byName[name] ??= new Placeholder(String(name)));
  },
  ownKeys() {
    throw new TypeError("name the values that a statement binds");
  },
};
