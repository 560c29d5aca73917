import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "./connection.ts";

const mib = 1024 * 1024;

test("the log is brought back into the database by itself, seldom, and does not outgrow that", () => {
  const folder = mkdtempSync(join(tmpdir(), "sineta-log-"));
  const path = join(folder, "test.db");
  const database = openDatabase(path);
  try {
    database.exec("create table written (id integer primary key, bytes blob)");
    const write = database.prepare("insert into written (bytes) values (randomblob(?))");
    const logMib: number[] = [];
    for (let count = 0; count < 60; count += 1) {
      write.run(mib);
      logMib.push(statSync(`${path}-wal`).size / mib);
    }
    expect(logMib[9]).toBeGreaterThan(10);
    expect(Math.max(...logMib)).toBeLessThan(18);
    expect(statSync(path).size / mib).toBeGreaterThan(40);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
});
