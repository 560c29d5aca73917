// The image of the server: made by buildah from Debian's packages and npm's, run by podman.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installedAt, npm, packPackages, run } from "../tarballs.mjs";

const root = dirname(dirname(import.meta.dirname));
const base = "localhost/sineta-base";

/** What the Containerfile's first stage calls, and the library that Debian's own images lack. */
const basePackages = ["bash", "binutils", "coreutils", "dash", "grep", "libatomic1", "libc-bin"];

/**
 * Makes the image that the Containerfile begins with. mmdebstrap unpacks the packages and does not run their scripts: the
 * first stage needs none.
 */
export function makeBase() {
  const folder = mkdtempSync(join(tmpdir(), "sineta-base-"));
  try {
    const archive = join(folder, "base.tar");
    const packages = [...basePackages, "libstdc++6"].join();
    const options = ["--variant=extract", `--include=${packages}`, "--quiet"];
    run("mmdebstrap", [...options, "bookworm", archive], folder);
    inContainer("scratch", (container) => {
      const place = run("buildah", ["mount", container], folder).trim();
      // What an ordinary image has in /dev comes from what runs it.
      run("tar", ["--extract", `--file=${archive}`, "--exclude=./dev", `-C${place}`], folder);
      run("buildah", ["commit", "--quiet", container, base], folder);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function inContainer(image, action) {
  const container = run("buildah", ["from", image], root).trim();
  try {
    action(container);
  } finally {
    run("buildah", ["rm", container], root);
  }
}

/** @returns {boolean} whether the storage of this machine's containers holds the image that `makeBase` makes */
export function hasBase() {
  return spawnSync("buildah", ["inspect", "--type=image", base]).status === 0;
}

/**
 * Builds the image of the server that was built in this checkout: installs its tarball with npm, adds Node from this checkout (where
 * docs/install.md installs it with npm), then calls buildah on the Containerfile in the installed package.
 *
 * @param {string} name of the image
 */
export function buildImage(name) {
  const folder = mkdtempSync(join(tmpdir(), "sineta-container-"));
  try {
    const [server] = packPackages(folder, { names: ["server"] });
    const options = ["--loglevel=error", "--no-audit", "--no-fund", "--prefer-offline"];
    npm(["install", `--prefix=${folder}`, ...options, server.file], folder);
    copyNode(join(folder, "node_modules"));
    const shipped = join(folder, "node_modules/@sineta/server/deploy/container/Containerfile");
    const label = `org.opencontainers.image.version=${server.version}`;
    // Isolation by chroot works in a container, too. Docker's format alone knows health checks.
    const how = ["--isolation=chroot", "--format=docker", `--build-arg=BASE=${base}`];
    const what = [`--label=${label}`, `--tag=${name}`, `--file=${shipped}`];
    run("buildah", ["build", ...how, ...what, folder], folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Copies what the Containerfile takes of this checkout's Node. npm would unpack the same version again, with some 2,800 headers, and
 * buildah would copy them.
 */
function copyNode(modules) {
  const name = `node-linux-${process.arch}`;
  for (const file of ["bin/node", "LICENSE"]) {
    cpSync(join(installedAt(name, root), file), join(modules, name, file));
  }
}

/** Bytes that the image takes on disk. */
export function imageBytes(name) {
  return JSON.parse(run("podman", ["image", "inspect", name], root))[0].Size;
}

/**
 * The command that runs the image as docs/install.md does: read-only but for the data, without capabilities.
 *
 * @param {string} image
 * @param {string[]} options of podman more
 * @returns {[string, string[]]} a command and its arguments, to which the server's words can be added
 */
export function runCommand(image, options) {
  // crun, podman's usual runtime, refuses a machine that has both versions of cgroups.
  const runtime = existsSync("/sys/fs/cgroup/unified") ? ["--runtime=runc"] : [];
  const limits = ["--ulimit=nofile=16384:16384", "--ulimit=nproc=4096:4096"];
  const rights = ["--read-only", "--read-only-tmpfs=false", "--cap-drop=all"];
  const noMore = "--security-opt=no-new-privileges";
  return ["podman", [...runtime, "run", ...limits, ...rights, noMore, ...options, image]];
}
