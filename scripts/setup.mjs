// Makes a fresh machine ready: the packages, the right Node, with --browsers what the tests drive, with --containers what makes and runs a
// container.
// Runs on the system's Node (20 or newer) with nothing installed; does nothing when nothing is missing.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium, findFirefox } from "./browsers.mjs";
import { findProgram, programsFolder } from "./programs.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const requiredNodeMajor = 26;

function fail(sentence) {
  console.error(`set-up: ${sentence}`);
  process.exit(1);
}

function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit", ...options }).status === 0;
}

function installPackages() {
  const stamp = join(root, "node_modules", ".sineta-lock");
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;

  console.log("set-up: installing the packages of package-lock.json");
  // npm's own Node: `npm ci` deletes the one in node_modules, which this script may be running on.
  const node = process.env.npm_node_execpath;
  const npm = process.env.npm_execpath;
  const args = ["ci", "--loglevel=error"];
  const done = node && npm ? run(node, [npm, ...args]) : run("npm", args);
  if (!done) fail("npm ci failed; its own words are above.");
  writeFileSync(stamp, wanted);
}

function checkNode() {
  const name = process.platform === "win32" ? "node.cmd" : "node";
  const candidates = [join(root, "node_modules", ".bin", name), process.execPath];
  const found = candidates.some((node) => {
    const { stdout } = spawnSync(node, ["--version"], {
      encoding: "utf8",
      shell: node.endsWith(".cmd"),
    });
    return Number(/^v(\d+)/.exec(stdout ?? "")?.[1]) >= requiredNodeMajor;
  });
  if (!found) {
    fail(
      `Sineta runs on Node ${requiredNodeMajor} or newer. The one that npm can install does not run on this ` +
        `system (${process.platform} ${process.arch}), and yours is ${process.version}: install Node ` +
        `${requiredNodeMajor} and run the command again.`,
    );
  }
}

/** What makes and runs the container, by the name of its Debian package. */
const containerTools = ["buildah", "mmdebstrap", "podman", "runc"].map((name) => ({
  name,
  isThere: () =>
    process.platform !== "linux" || isCommand(name) || existsSync(join("/usr/sbin", name)),
  advice: `Install it with your system's packages (Debian and Ubuntu: \`sudo apt-get install ${name}\`).`,
}));

/** What the tests and the demo drive, by the name of its Debian package. */
const driven = [
  ...containerTools,
  {
    name: "chromium",
    isThere: () => findChromium() !== undefined,
    advice:
      "Install it (Debian and Ubuntu: `sudo apt-get install chromium`; elsewhere: `npx playwright install " +
      "chromium`), or name one with SINETA_CHROMIUM=/path/to/chromium.",
  },
  {
    name: "firefox-esr",
    isThere: () => findFirefox() !== undefined,
    advice:
      "Install it (Debian: `sudo apt-get install firefox-esr`; elsewhere: https://www.mozilla.org/firefox), or name " +
      "one with SINETA_FIREFOX=/path/to/firefox.",
  },
  {
    name: "dbus-daemon",
    isThere: () => process.platform !== "linux" || isCommand("dbus-daemon"),
    advice:
      "Install it with your system's packages (Debian and Ubuntu: `sudo apt-get install dbus-daemon`).",
  },
  {
    // Firefox shows notifications on the desktop with it, and does not depend on it.
    name: "libnotify4",
    isThere: () => process.platform !== "linux" || hasLibrary("libnotify.so.4"),
    advice:
      "Install it with your system's packages (Debian and Ubuntu: `sudo apt-get install libnotify4`).",
  },
  {
    // The unit that runs the server is judged by it.
    name: "systemd",
    isThere: () => process.platform !== "linux" || isCommand("systemd-analyze"),
    advice:
      "Install it with your system's packages (Debian and Ubuntu: `sudo apt-get install systemd`).",
  },
  // Senders in other languages, which the lab's proxy is tried with.
  ...["curl", "python3"].map((name) => ({
    name,
    isThere: () => isCommand(name),
    advice: `Install it with your system's packages (Debian and Ubuntu: \`sudo apt-get install ${name}\`).`,
  })),
  // The proxies whose configurations the server's package holds.
  ...["nginx", "caddy"].map((name) => ({
    name,
    isThere: () => isCommand(findProgram(name) ?? name, name === "nginx" ? "-v" : "version"),
    advice: "Install it with your system's packages. Its service does not have to run.",
    isUnpacked: true,
  })),
  {
    // The alerts that the server's package holds are judged by it.
    name: "prometheus",
    isThere: () => ["prometheus", "promtool"].every((name) => isCommand(findProgram(name) ?? name)),
    advice: "Install it with your system's packages. Its service does not have to run.",
    isUnpacked: true,
  },
];

function isCommand(name, flag = "--version") {
  return spawnSync(name, [flag], { stdio: "ignore" }).status === 0;
}

/**
 * Takes the program out of its Debian package. Installing the package would enable and start its service, on port 80; and
 * `RUNLEVEL=1` keeps only packages without systemd from that.
 */
function unpack(name) {
  const packages = join(programsFolder, "packages");
  mkdirSync(packages, { recursive: true });
  // It writes to the folder as root, not as the user `_apt`, who may not be let in.
  const download = ["download", "-qq", "-o", "APT::Sandbox::User=root", name];
  run("apt-get", download, { cwd: packages, stdio: ["ignore", "ignore", "inherit"] });
  for (const file of readdirSync(packages)) {
    run("dpkg-deb", ["--extract", join(packages, file), programsFolder]);
  }
  rmSync(packages, { recursive: true });
}

function hasLibrary(name) {
  const { stdout } = spawnSync("/sbin/ldconfig", ["-p"], { encoding: "utf8" });
  return (stdout ?? "").includes(name);
}

function install(tools) {
  const missing = tools.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const isRoot = process.getuid?.() === 0;
  if (isRoot && isCommand("apt-get")) {
    console.log(`set-up: installing with apt-get: ${names.join(", ")}`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const quiet = { env, stdio: ["ignore", "ignore", "inherit"] };
    run("apt-get", ["update", "-qq"], quiet);
    // One by one: a name that this system's apt does not know would keep it from installing the others.
    for (const { name, isUnpacked } of missing) {
      if (isUnpacked) unpack(name);
      else run("apt-get", ["install", "-y", "-qq", name], quiet);
    }
  } else if (names.includes("chromium")) {
    console.log("set-up: installing Playwright's Chromium");
    run("npx", ["playwright", "install", "chromium"]);
  }
  for (const { name, isThere, advice } of tools) {
    if (!isThere()) fail(`${name} is missing. ${advice}`);
  }
}

installPackages();
checkNode();
if (process.argv.includes("--browsers")) install(driven);
else if (process.argv.includes("--containers")) install(containerTools);
