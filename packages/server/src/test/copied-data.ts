import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Makes the server take a copied data folder for its own: it would hold the delivery of a copy. */
export function adoptCopy(dataFolder: string): void {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"), { timeout: 10_000 });
  database.exec("delete from database_home");
  database.close();
}
