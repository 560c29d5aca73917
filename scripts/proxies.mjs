// Where nginx and Caddy are, which the tests put before the server. Plain JavaScript: set-up runs it on an old Node.
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Set-up unpacks Debian's packages here. It does not install them, because that would start a server on port 80. */
export const proxiesFolder = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  "node_modules",
  ".cache",
  "proxies",
);

/**
 * The path of the system's own, or of the one that set-up has unpacked.
 *
 * @param {"nginx" | "caddy"} name
 * @returns {string | undefined}
 */
export function findProxy(name) {
  const system = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  const unpacked = ["usr/sbin", "usr/bin"].map((folder) => join(proxiesFolder, folder));
  return [...system, ...unpacked]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
