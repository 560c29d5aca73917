import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const program = fileURLToPath(import.meta.resolve("../../bench/seed.ts"));

/** Fills the data folder of a running server, as `npm run seed` does. */
export async function seed(folder: string, registrations: number, messages: number): Promise<void> {
  const counts = ["--registrations", String(registrations), "--messages", String(messages)];
  await promisify(execFile)(process.execPath, [program, folder, ...counts]);
}
