import { execFileSync } from "node:child_process";
import { closeSync, cpSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SinetaServer } from "../../e2e/support/server.ts";
import { adoptCopy } from "../../packages/server/src/test/copied-data.ts";

/** A server's data folder on a file system of its own, of a few megabytes. */
export type SmallDisk = {
  /** Takes every byte that is left on it. */
  fill: () => void;
  free: () => void;
  /** Ends the server and takes the disk away. To be called before the scene is closed. */
  remove: () => Promise<void>;
};

/**
 * Moves a server's data onto a small disk, and starts it there.
 * @throws Error where no file system can be mounted, with what to do
 */
export async function moveToSmallDisk(server: SinetaServer, megabytes: number): Promise<SmallDisk> {
  await server.kill();
  const aside = mkdtempSync(join(tmpdir(), "sineta-aside-"));
  try {
    cpSync(server.data, aside, { recursive: true });
    mount(server.data, megabytes);
    cpSync(aside, server.data, { recursive: true });
    adoptCopy(server.data);
  } finally {
    rmSync(aside, { recursive: true });
  }
  await server.start();
  const filler = join(server.data, "filler");
  return {
    fill() {
      emptyJournal(server.data);
      fillWith(filler);
    },
    free: () => rmSync(filler),
    async remove() {
      await server.kill();
      execFileSync("umount", [server.data]);
    },
  };
}

function mount(folder: string, megabytes: number): void {
  try {
    const options = `size=${megabytes}m,mode=700`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { encoding: "utf8" });
  } catch (cause) {
    throw new Error(
      "This test needs a disk that is full, and may not mount one: run it as root, or on Linux as\n" +
        "  unshare --user --map-root-user --mount npx vitest run --config soak/vitest.config.ts disk-full",
      { cause },
    );
  }
}

/** SQLite's write-ahead log keeps room that it writes into again: on a disk without any other, for a while. */
function emptyJournal(dataFolder: string): void {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"), { timeout: 10_000 });
  const row = database.prepare("pragma wal_checkpoint(truncate)").get();
  database.close();
  if (row?.["busy"] !== 0) throw new Error("the write-ahead log is in use");
}

function fillWith(path: string): void {
  const file = openSync(path, "a");
  const chunk = Buffer.alloc(64 * 1024);
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(file);
  }
}
