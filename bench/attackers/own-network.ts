import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const namespaces = ["--net", "--mount"];

/**
 * Runs a module in a network and with mounts of its own (Linux namespaces). The network has nothing but loopback, so no
 * packet leaves the machine, and the module may listen on ports 53 and 443.
 * @returns the exit code
 * @throws Error where the system gives no namespaces
 */
export async function runInOwnNetwork(file: string, args: readonly string[]): Promise<number> {
  const isRoot = process.getuid?.() === 0;
  const options = [...(isRoot ? [] : ["--user", "--map-root-user"]), ...namespaces];
  const probe = spawnSync("unshare", [...options, "ip", "-V"], { encoding: "utf8" });
  if (probe.status !== 0) {
    throw new Error(
      "This benchmark needs a network of its own: run it on Linux, as root or where user namespaces are allowed, with the " +
        `packages util-linux and iproute2 installed. ${probe.stderr ?? ""}`,
    );
  }
  const node = [process.execPath, "--disable-warning=ExperimentalWarning", file, ...args];
  const child = spawn("unshare", [...options, ...node], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [code] = await once(child, "exit");
  return code ?? 1;
}

/** Makes the new network usable: loopback with these addresses, and 127.0.0.1 as the only name server. */
export function furnishOwnNetwork(prefixes: readonly string[]): void {
  execFileSync("ip", ["link", "set", "lo", "up"]);
  // On loopback every address of a prefix is the machine's own.
  for (const prefix of prefixes) execFileSync("ip", ["addr", "add", prefix, "dev", "lo"]);
  const folder = mkdtempSync(join(tmpdir(), "sineta-network-"));
  execFileSync("mount", ["-t", "tmpfs", "tmpfs", folder]);
  // As most servers have it, a name that is not found is asked for once more with a domain behind it.
  bindOver(
    "/etc/resolv.conf",
    join(folder, "resolv.conf"),
    "nameserver 127.0.0.1\nsearch internal\n",
  );
  // Files and DNS alone: other sources, such as systemd-resolved, answer over sockets that lead out of the network.
  bindOver("/etc/nsswitch.conf", join(folder, "nsswitch.conf"), "hosts: files dns\n");
}

function bindOver(place: string, file: string, text: string): void {
  writeFileSync(file, text);
  execFileSync("mount", ["--bind", file, place]);
}
