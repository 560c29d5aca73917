import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startSink } from "../../packages/push-lab/src/index.ts";
import { testBrowser } from "../../packages/server/src/test/browser.ts";
import { siteClient } from "../../packages/server/src/test/http-client.ts";
import { run } from "../tarballs.mjs";
import { buildImage, hasBase, makeBase, runCommand } from "./image.mjs";

const pushService = "https://fcm.googleapis.com";
const site = "https://site.example";
const image = `localhost/sineta-test-${process.pid}`;
const volume = `sineta-test-${process.pid}`;
/** Only root may do what building and running need, without a set-up of the machine. */
const isRoot = process.platform === "linux" && process.getuid() === 0;

const podman = (...args) => call("podman", args);

/** Runs a command to its end. */
function call(command, args) {
  return new Promise((resolve) => {
    execFile(command, args, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

let containers = [];
/** Starts the image in the background. @returns {Promise<string>} the container's id */
async function start(options, words = ["serve"]) {
  const background = ["--detach", "--network=host", ...options];
  const [command, args] = runCommand(image, background);
  const { status, stdout, stderr } = await call(command, [...args, ...words]);
  if (status !== 0) throw new Error(stderr);
  const id = stdout.trim();
  containers.push(id);
  return id;
}

const inDevelopment = ["--env=SINETA_HOST=127.0.0.1", "--env=SINETA_PORT=0"];
const withData = `--volume=${volume}:/var/lib/sineta`;

/** Waits until the server listens. @returns {Promise<string>} its address */
async function listening(id) {
  let url;
  await expect
    .poll(async () => {
      const { stderr } = await podman("logs", id);
      url = /"port":(\d+).*"msg":"listening"/.exec(stderr)?.[1];
      return url;
    })
    .toBeDefined();
  return `http://127.0.0.1:${url}`;
}

/** What a program in the container says of itself, and of its folders. */
const describeItself = `
  const { accessSync, constants, readFileSync } = require("node:fs");
  const caps = /CapBnd:\\t(.*)/.exec(readFileSync("/proc/self/status", "utf8"))[1];
  const mayWrite = (path) => { try { accessSync(path, constants.W_OK); return true; } catch { return false; } };
  const written = ["/", "/etc/sineta", "/opt/sineta", "/tmp", "/var/lib/sineta"].filter(mayWrite);
  console.log(JSON.stringify({ uid: process.getuid(), gid: process.getgid(), caps, written }));`;

test("docs/install.md runs the image with the rights of these tests", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/install.md"), "utf8");
  const [, words] = /^podman run (.*?[^\\])$/ms.exec(page);
  // docker does not know the one, and only a machine with few rights needs the other.
  const own = new Set(["--read-only-tmpfs=false", "--ulimit=nproc=4096:4096"]);
  const [, args] = runCommand("sineta:0.1.0", []);
  const meant = args.slice(args.indexOf("run") + 1).filter((word) => !own.has(word));
  expect(words.split(/[\s\\]+/)).toEqual(expect.arrayContaining(meant));
});

describe.runIf(isRoot)("the container", { timeout: 180_000 }, () => {
  beforeAll(() => {
    if (!hasBase()) makeBase();
    buildImage(image);
  }, 300_000);
  afterEach(async () => {
    await Promise.all(containers.map((id) => podman("rm", "--force", "--time=0", id)));
    containers = [];
    await podman("volume", "rm", "--force", volume);
  });
  afterAll(() => podman("image", "rm", "--force", image));

  test("holds Node, its libraries and Sineta, and no other program", () => {
    const container = run("buildah", ["from", image], "/").trim();
    try {
      const root = run("buildah", ["mount", container], "/").trim();
      const files = globSync("**/*", { cwd: root, exclude: (path) => path === "opt" });
      const libraries = /^(?:usr\/)?lib(?:64)?\//;
      const others = files.filter((path) => !libraries.test(path));
      expect(others.toSorted()).toMatchInlineSnapshot(`
        [
          "etc",
          "etc/group",
          "etc/nsswitch.conf",
          "etc/passwd",
          "etc/sineta",
          "lib",
          "lib64",
          "tmp",
          "usr",
          "usr/lib",
          "usr/local",
          "usr/local/bin",
          "usr/local/bin/node",
          "usr/local/bin/sineta",
          "usr/share",
          "usr/share/doc",
          "usr/share/doc/gcc-12-base",
          "usr/share/doc/gcc-12-base/copyright",
          "usr/share/doc/libc6",
          "usr/share/doc/libc6/copyright",
          "usr/share/doc/node",
          "usr/share/doc/node/LICENSE",
          "var",
          "var/lib",
          "var/lib/sineta",
        ]
      `);
      expect(globSync("opt/sineta/node_modules/node-linux-*", { cwd: root })).toEqual([]);
    } finally {
      run("buildah", ["rm", container], "/");
    }
  });

  test("delivers as a user without rights, in a root that is read-only but for the data", async () => {
    const sink = await startSink({ origins: [pushService] });
    const shared = mkdtempSync(join(tmpdir(), "sineta-container-ca-"));
    try {
      cpSync(sink.caPath, join(shared, "ca.pem"));
      chmodSync(shared, 0o755);
      chmodSync(join(shared, "ca.pem"), 0o644);
      const options = [
        ...inDevelopment,
        withData,
        `--volume=${realpathSync(shared)}:/ca:ro`,
        "--env=NODE_EXTRA_CA_CERTS=/ca/ca.pem",
        `--env=SINETA_ORIGINS=${site}`,
        `--env=SINETA_PUSH_ROUTES=${sink.serverEnvironment.SINETA_PUSH_ROUTES}`,
      ];
      const id = await start(options);
      const url = await listening(id);
      const client = await siteClient(url, site);
      await client.register(testBrowser({ subscription: sink.subscription(pushService, "baker") }));
      const sent = await podman("exec", id, "sineta", "send", "--title", "Olá", "--body", "Pão.");
      expect(sent).toMatchObject({ status: 0, stdout: expect.stringContaining("1 accepted") });
      expect(sink.counts()).toMatchObject({ requests: 1, accepted: 1 });

      const described = await podman("exec", id, "node", "-e", describeItself);
      expect(JSON.parse(described.stdout)).toEqual({
        uid: 10001,
        gid: 10001,
        caps: "0000000000000000",
        written: ["/var/lib/sineta"],
      });
    } finally {
      rmSync(shared, { recursive: true });
      await sink.close();
    }
  });

  test("stops softly on SIGTERM, and another container goes on with its data", async () => {
    const first = await start([...inDevelopment, withData]);
    await listening(first);
    const keys = await podman("exec", first, "sineta", "keys");
    expect(keys).toMatchObject({ status: 0, stderr: "" });
    await podman("stop", "--time=60", first);
    const ended = await podman("inspect", "--format={{.State.ExitCode}}", first);
    expect(ended.stdout).toBe("0\n");
    expect((await podman("logs", first)).stderr).toContain('"msg":"stopping"');

    const second = await start([...inDevelopment, withData]);
    await listening(second);
    expect(await podman("exec", second, "sineta", "keys")).toEqual(keys);
  });

  test("is healthy while the server is ready at its port", async () => {
    const port = "18417";
    const id = await start([withData, "--env=SINETA_HOST=127.0.0.1", `--env=SINETA_PORT=${port}`]);
    await listening(id);
    expect(await podman("healthcheck", "run", id)).toMatchObject({ status: 0 });
    const other = await start([...inDevelopment]);
    await listening(other);
    expect(await podman("healthcheck", "run", other)).toMatchObject({ status: 1 });
  });

  test("says what to do where its user may not write the data", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sineta-container-data-"));
    try {
      mkdirSync(join(folder, "data"), { mode: 0o700 });
      chmodSync(folder, 0o755);
      const data = `--volume=${realpathSync(folder)}/data:/var/lib/sineta`;
      const id = await start([...inDevelopment, data]);
      expect((await podman("wait", id)).stdout).toBe("1\n");
      expect((await podman("logs", id)).stderr).toMatchInlineSnapshot(`
        "sineta: The data folder /var/lib/sineta belongs to another user, the one with the uid 0 (permission denied): run Sineta as that user.
        "
      `);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
