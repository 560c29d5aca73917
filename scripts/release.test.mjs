import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { release } from "./release.mjs";
import { packPackages } from "./tarballs.mjs";

const names = ["client", "react", "server", "push-lab"];
const folder = mkdtempSync(join(tmpdir(), "sineta-release-"));
const checkout = join(folder, "checkout");
const dist = join(checkout, "dist");
const origin = join(folder, "origin");

/** A checkout with four small packages, packed. Each test gets a copy of it. */
let tarballs;
beforeAll(() => {
  checkoutOf("0.2.0");
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Maintainer");
  git("config", "user.email", "maintainer@example.test");
  commit();
  tarballs = pack();
  cpSync(checkout, origin, { recursive: true });
});
beforeEach(() => {
  rmSync(checkout, { recursive: true, force: true });
  cpSync(origin, checkout, { recursive: true });
  // Nothing listens there: no test can publish on a real registry.
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:9");
  vi.stubEnv("npm_config_userconfig", join(folder, "npmrc"));
  vi.stubEnv("npm_config_cache", join(folder, "npm"));
  vi.stubEnv("npm_config_fetch_retries", "0");
  for (const [name, value] of Object.entries(gitSettings)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

function write(path, content) {
  const file = join(checkout, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

function checkoutOf(version) {
  write(".gitignore", "/dist/\n");
  write("LICENSE", "licence");
  write("package.json", { name: "checkout", version, private: true, workspaces: ["packages/*"] });
  for (const name of names) manifest(name, { version });
  manifest("react", { version, dependencies: { "@sineta/client": "*" } });
  const dependencies = { "@sineta/client": "^0.2.0" };
  write("examples/page/package.json", { name: "page", private: true, dependencies });
}

function manifest(name, fields) {
  const publishConfig = { access: "public" };
  const always = { files: ["dist"], exports: { ".": "./dist/index.js" }, publishConfig };
  write(`packages/${name}/package.json`, { name: `@sineta/${name}`, ...always, ...fields });
  write(`packages/${name}/README.md`, name);
  write(`packages/${name}/dist/index.js`, `export const name = "${name}";`);
}

/** Without the developer's own settings, such as a signature for each commit. */
const gitSettings = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
const gitEnvironment = { ...process.env, ...gitSettings };

function git(...args) {
  return execFileSync("git", args, { cwd: checkout, encoding: "utf8", env: gitEnvironment }).trim();
}

function commit() {
  git("add", ".");
  git("commit", "--quiet", "--message", "Change it");
}

/** Packs as a release does, without the build and the checks. */
function pack() {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  return packPackages(dist, { checkout });
}

const makeBill = ({ name }, _all, timestamp) => `${name}, ${timestamp}\n`;

function findFullDisk() {
  throw new Error("ENOSPC: no space left on device, write");
}

async function run(args, inside = {}) {
  const lines = [];
  for (const way of ["log", "error"]) {
    vi.spyOn(console, way).mockImplementation((line) => lines.push(line));
  }
  const makeTarballs = vi.fn(inside.makeTarballs ?? (async () => tarballs));
  const status = await release(args, {
    checkout,
    makeBill,
    npmStdio: "ignore",
    ...inside,
    makeTarballs,
  });
  return { status, lines, hasBuilt: makeTarballs.mock.calls.length > 0 };
}

const files = names.flatMap((name) =>
  ["tgz", "cdx.json"].map((end) => `sineta-${name}-0.2.0.${end}`),
);
const readDist = () => files.map((file) => readFileSync(join(dist, file), "base64"));

describe("a dry run", () => {
  test("leaves tarballs, bills and their checksums, and publishes nothing", async () => {
    const { status, lines } = await run(["--dry-run"]);
    expect(status).toBe(0);
    const size = String.raw`[\d.]+ kB packed, [\d.]+ kB unpacked, 4 files`;
    expect(lines).toEqual([
      ...names.map((name, index) =>
        expect.stringMatching(
          `^release: ${index + 1}. @sineta/${name} 0.2.0, dist-tag latest: ${size}$`,
        ),
      ),
      `release: git tag: v0.2.0, at ${git("rev-parse", "HEAD")}`,
      "release: This was a dry run: nothing was published, and no tag was made.",
    ]);
    const checked = execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: dist });
    expect(checked.toString().trim().split("\n").toSorted()).toEqual(
      files.map((file) => `${file}: OK`).toSorted(),
    );
    expect(git("tag", "--list")).toBe("");
  });

  test("is one where npm took the flag for its own, and makes the same bytes again", async () => {
    await run(["--dry-run"]);
    const first = readDist();
    vi.stubEnv("npm_config_dry_run", "true");
    const { lines } = await run([], { makeTarballs: async () => pack() });
    expect(lines.at(-1)).toContain("nothing was published");
    expect(readDist()).toEqual(first);
  });

  test("goes on with changes that are not committed, and says so", async () => {
    write("LICENSE", "changed");
    const { status, lines } = await run(["--dry-run"]);
    expect(status).toBe(0);
    expect(lines[0]).toBe(
      "release: warning: The work tree has changes that are not committed: they are packed, too.",
    );
  });
});

test("a packed package depends on ours of its own version", () => {
  const args = ["-xOzf", "sineta-react-0.2.0.tgz", "package/package.json"];
  const { dependencies } = JSON.parse(execFileSync("tar", args, { cwd: dist }));
  expect(dependencies).toEqual({ "@sineta/client": "0.2.0" });
});

test("a release that broke off leaves no checksums", async () => {
  const { status, lines } = await run(["--dry-run"], { makeBill: findFullDisk });
  expect({ status, lines }).toEqual({
    status: 1,
    lines: ["release: ENOSPC: no space left on device, write"],
  });
  expect(existsSync(join(dist, files[0]))).toBe(true);
  expect(existsSync(join(dist, "SHA256SUMS"))).toBe(false);
});

describe("builds nothing and refuses", () => {
  test.for([
    {
      what: "changes that are not committed",
      change: () => write("LICENSE", "changed"),
      sentence: "The work tree has changes that are not committed: a release is made of a commit.",
    },
    {
      what: "a version that is none",
      change: () => checkoutOf("v0.2"),
      sentence: "package.json has the version v0.2, which is no semantic version such as 1.0.0.",
    },
    {
      what: "a package of another version",
      change: () => manifest("server", { version: "0.1.0" }),
      sentence: "packages/server/package.json has the version 0.1.0, and package.json 0.2.0.",
    },
    {
      what: "a dependency on a version of ours that may be another",
      change: () =>
        manifest("react", { version: "0.2.0", dependencies: { "@sineta/client": "0.1.0" } }),
      sentence: 'packages/react/package.json depends on @sineta/client 0.1.0: write "*".',
    },
    {
      what: "an example of another version",
      change: () =>
        write("examples/page/package.json", { dependencies: { "@sineta/client": "^0.1.0" } }),
      sentence: "examples/page/package.json depends on @sineta/client ^0.1.0, which is not 0.2.0.",
    },
    {
      what: "a version that another commit has",
      change() {
        git("tag", "--annotate", "v0.2.0", "--message", "Sineta 0.2.0");
        write("LICENSE", "changed");
      },
      sentence: "The tag v0.2.0 is at another commit: raise the version.",
    },
  ])("$what", async ({ what, change, sentence }) => {
    change();
    if (!what.startsWith("changes")) commit();
    expect(await run([])).toEqual({
      status: 1,
      lines: [`release: ${sentence}`],
      hasBuilt: false,
    });
  });

  test.for([["--dry"], ["0.2.0"], ["--dry-run=yes"]])("%s", async (args) => {
    expect(await run(args)).toEqual({
      status: 2,
      lines: ["usage: npm run release [-- --dry-run]"],
      hasBuilt: false,
    });
  });
});

/** A fake of npm's registry: it keeps what `npm publish` sends, and refuses the names in `refused`. */
function startFakeRegistry() {
  const packages = new Map();
  const refused = new Set();
  async function answerTo(request) {
    const name = decodeURIComponent(request.url.slice(1));
    if (request.method === "GET") {
      return packages.has(name) ? [200, packages.get(name)] : [404, { error: "not found" }];
    }
    const sent = JSON.parse(await text(request));
    if (refused.has(name)) return [403, { error: "refused" }];
    packages.set(name, sent);
    return [201, {}];
  }
  const server = createServer((request, response) => {
    void answerTo(request).then(([status, body]) =>
      response.writeHead(status).end(JSON.stringify(body)),
    );
  });
  return { packages, refused, server };
}

/** What a registry answers for a package of which it has this version. */
function documentOf({ name, version, integrity }) {
  const versions = { [version]: { name, version, dist: { integrity } } };
  return { name, "dist-tags": { latest: version }, versions };
}

describe("a release", () => {
  let registry;
  beforeEach(async () => {
    registry = startFakeRegistry();
    await new Promise((resolve) => registry.server.listen(0, "127.0.0.1", resolve));
    const host = `//127.0.0.1:${registry.server.address().port}`;
    writeFileSync(join(folder, "npmrc"), `${host}/:_authToken=of-a-fake-registry\n`);
    vi.stubEnv("npm_config_registry", `http:${host}`);
  });
  afterEach(async () => {
    registry.server.closeAllConnections();
    await new Promise((resolve) => registry.server.close(resolve));
  });

  test("publishes in order, and tags the commit", async () => {
    const version = "0.2.0-next.1";
    checkoutOf(version);
    commit();
    const both = pack().slice(0, 2);
    const { status, lines } = await run([], { makeTarballs: async () => both });
    expect(lines.slice(both.length)).toEqual([
      `release: @sineta/client ${version} is published.`,
      `release: @sineta/react ${version} is published.`,
      `release: All are published. Push the tag: git push origin v${version}`,
    ]);
    expect(status).toBe(0);
    const sent = [...registry.packages.values()];
    expect(sent.map((each) => [each.name, each.access, each["dist-tags"]])).toEqual(
      both.map(({ name }) => [name, "public", { next: version }]),
    );
    const [{ data }] = Object.values(sent[1]["_attachments"]);
    expect(data).toBe(readFileSync(both[1].file, "base64"));
    expect(git("cat-file", "-t", `v${version}`)).toBe("tag");
    expect(git("rev-parse", `v${version}^{commit}`)).toBe(git("rev-parse", "HEAD"));
  });

  test("run again leaves out what is published, and stops at the first failure", async () => {
    const three = tarballs.slice(0, 3);
    registry.packages.set("@sineta/client", documentOf(three[0]));
    registry.refused.add("@sineta/react");
    const { status, lines } = await run([], { makeTarballs: async () => three });
    expect(lines.slice(three.length)).toEqual([
      "release: @sineta/client 0.2.0 was published before.",
      "release: npm could not publish @sineta/react 0.2.0. Published: @sineta/client. Not published: @sineta/react, " +
        "@sineta/server. Run it again: it leaves out what is published.",
    ]);
    expect(status).toBe(1);
    expect([...registry.packages.keys()]).toEqual(["@sineta/client"]);
    expect(git("tag", "--list")).toBe("");
  });

  test("publishes nothing if the registry has other bytes as one of its versions", async () => {
    const both = tarballs.slice(0, 2);
    const other = { ...both[1], integrity: "sha512-other" };
    registry.packages.set("@sineta/react", documentOf(other));
    const { status, lines } = await run([], { makeTarballs: async () => both });
    expect(lines.slice(both.length)).toEqual([
      "release: Nothing was published: the registry has another @sineta/react 0.2.0, with other bytes. Raise the version.",
    ]);
    expect(status).toBe(1);
    expect([...registry.packages.keys()]).toEqual(["@sineta/react"]);
  });
});
