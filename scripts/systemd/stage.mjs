// A machine's folders with Sineta installed as docs/install.md says, and the unit's process in them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { installTarballs, packPackages, run } from "../tarballs.mjs";
import { allowedSystemCalls, readUnit } from "./unit.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const checkout = dirname(dirname(here));
const program = "/opt/sineta";
const shipped = `${program}/node_modules/@sineta/server/deploy/systemd`;
const state = "/var/lib/sineta";
const credentials = "/run/credentials/sineta.service";
/** Of sys/socket.h and errno.h, on Linux. */
const families = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10, AF_NETLINK: 16 };

/** Installs what is packed from the built packages. Only root can, for another user. */
export function stage() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sineta-systemd-")));
  const at = (path) => join(root, path);
  chmodSync(root, 0o755);
  const folders = ["usr", "sys", "proc", "dev", "tmp", "etc/sineta", "etc/systemd/system"];
  for (const path of [...folders, program, state, credentials, "packed"]) {
    mkdirSync(at(path), { recursive: true });
  }
  for (const path of ["bin", "sbin", "lib", "lib64"]) {
    symlinkSync(`usr/${path}`, at(path));
  }
  for (const name of ["null", "zero", "full", "random", "urandom"])
    writeFileSync(at(`dev/${name}`), "");
  writeFileSync(at("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");

  const server = packPackages(at("packed"), { names: ["server"] });
  writeFileSync(at(`${program}/package.json`), "{}");
  installTarballs(server, at(program));
  writeFileSync(at(`${program}/node_modules/.bin/node`), "");

  const from = (name) => at(`${shipped}/${name}`);
  for (const name of ["sineta.service", "sineta-backup.service", "sineta-backup.timer"]) {
    cpSync(from(name), at(`etc/systemd/system/${name}`));
  }
  run("systemd-sysusers", [`--root=${root}`, from("sineta.sysusers")], root);
  cpSync(from("sineta.env"), at("etc/sineta/.env"));
  const unit = readUnit(at("etc/systemd/system/sineta.service"));

  const [, , uid, gid] = new RegExp(`^${unit.one("User")}:.*`, "m")
    .exec(readFileSync(at("etc/passwd"), "utf8"))[0]
    .split(":")
    .map(Number);
  const user = { uid, gid };
  for (const path of [state, credentials]) chownSync(at(path), user.uid, user.gid);
  chmodSync(at(state), Number.parseInt(unit.one("StateDirectoryMode"), 8));

  const places = [root, checkout, realpathSync(process.execPath), state];
  const enter = (command, environment, options = {}) => [
    "unshare",
    ["--mount", join(here, "enter.sh"), ...places, ...command],
    {
      env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", ...environment },
      ...options,
    },
  ];

  return {
    user,
    at,
    stateFolder: at(state),
    unitFile: (name) => at(`etc/systemd/system/${name}`),
    /** What is installed as /usr/local/bin/sineta: its path in this root. */
    command: `${shipped}/sineta`,
    /** Removes what a server has left. */
    clear() {
      for (const name of readdirSync(at(state))) rmSync(at(`${state}/${name}`));
    },
    /** @param {string} secret of /etc/sineta/secret */
    writeSecret: (secret) => writeFileSync(at("etc/sineta/secret"), secret, { mode: 0o600 }),
    /** Runs a command as root, for two minutes at most. */
    async asRoot(command, environment = {}) {
      // Half the time of a start is the compiling of packages that the checkout holds.
      const { NODE_COMPILE_CACHE = "" } = process.env;
      const all = { HOME: "/root", NODE_COMPILE_CACHE, ...environment };
      const child = spawn(...enter(command, all, { timeout: 120_000 }));
      const closed = once(child, "close");
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      const [status] = await closed;
      return { status, stdout, stderr };
    },
    /**
     * Starts what the unit starts, as it says.
     *
     * @param {Record<string, string>} environment more of it, as of a drop-in file
     */
    start(environment = {}) {
      const [name, source] = unit.one("LoadCredential").split(":");
      const credential = at(`${credentials}/${name}`);
      rmSync(credential, { force: true });
      cpSync(at(source), credential);
      chmodSync(credential, 0o400);
      chownSync(credential, user.uid, user.gid);
      const command = enter(confined(unit, user), { ...environmentOf(unit), ...environment });
      return watch(spawn(...command), unit.one("StandardOutput") !== "null");
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function environmentOf(unit) {
  const entries = unit.all("Environment").map((entry) => entry.replaceAll("%d", credentials));
  return Object.fromEntries(entries.map((entry) => entry.split("=")));
}

/** The unit's command, behind what systemd would do in the new process before it. */
function confined(unit, { uid, gid }) {
  const node = `${program}/node_modules/.bin/node`;
  const filter = {
    systemCalls: [...allowedSystemCalls(unit.all("SystemCallFilter"))],
    families: unit
      .one("RestrictAddressFamilies")
      .split(" ")
      .map((name) => families[name]),
    errorNumber: constants.errno[unit.one("SystemCallErrorNumber")],
  };
  const unprivileged = "--no-new-privs --inh-caps=-all --bounding-set=-all --clear-groups";
  const script = `
    umask ${unit.one("UMask")}
    cd ${unit.one("WorkingDirectory")}
    exec prlimit --nofile=${unit.one("LimitNOFILE")} setpriv --reuid=${uid} --regid=${gid} ${unprivileged} "$@"`;
  const confine = [node, "--disable-warning=ExperimentalWarning", join(here, "confine.mjs")];
  const words = unit.one("ExecStart").split(" ");
  return ["sh", "-euc", script, "sh", ...confine, JSON.stringify(filter), ...words];
}

/** @param {boolean} keepsOutput whether what it writes to standard output is in the log, too */
function watch(child, keepsOutput) {
  let log = "";
  const ended = once(child, "close").then(([status, signal]) => ({ status, signal, log }));
  const listening = new Promise((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      log += chunk;
      const port = /"port":(\d+).*"msg":"listening"/.exec(log)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
    void ended.then(() => reject(new Error(`ended before it listened: ${log}`)));
  });
  // For a start that is meant to fail.
  listening.catch(() => undefined);
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    if (keepsOutput) log += chunk;
  });
  return { ended, listening, kill: (signal) => child.kill(signal) };
}
