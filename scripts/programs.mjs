// Where the programs are that tests run beside the server: nginx, Caddy, Prometheus. Plain JavaScript: set-up runs it on an old Node.
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Set-up unpacks Debian's packages here. It does not install them, because that would start their services. */
export const programsFolder = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  "node_modules",
  ".cache",
  "programs",
);

/**
 * The path of the system's own, or of the one that set-up has unpacked.
 *
 * @param {"nginx" | "caddy" | "prometheus" | "promtool"} name
 * @returns {string | undefined}
 */
export function findProgram(name) {
  const system = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  const unpacked = ["usr/sbin", "usr/bin"].map((folder) => join(programsFolder, folder));
  return [...system, ...unpacked]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
