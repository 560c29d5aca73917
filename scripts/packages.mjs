// Builds and packs what is published into dist/, and looks at each tarball as its users will.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpSync, globSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { installTarballs, manifestOf, packPackages, run } from "./tarballs.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const node = process.execPath;

const complaints = [];
function check(holds, sentence) {
  if (!holds) complaints.push(sentence);
}

function attempt(what, action) {
  try {
    return action();
  } catch (error) {
    complaints.push(`${what}: ${error.message}`);
    return "";
  }
}

/** What publint says of a tarball: nothing, not even a suggestion. */
async function checkWithPublint({ name, file }) {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(file)).buffer },
    strict: true,
  });
  for (const message of messages) check(false, `${name}, publint: ${formatMessage(message, pkg)}`);
}

/** The files that an export names. */
function targetsOf(target) {
  return typeof target === "string" ? [target] : Object.values(target).flatMap(targetsOf);
}

function checkContents({ name }, folder) {
  const place = join(folder, "node_modules", name);
  const manifest = manifestOf(place);
  const { exports, bin = {}, dependencies = {}, publishConfig } = manifest;
  check(manifest.private !== true && publishConfig?.access === "public", `${name} is not public`);
  const licence = join(place, "LICENSE");
  check(
    existsSync(licence) && readFileSync(licence).equals(readFileSync(join(root, "LICENSE"))),
    `${name} does not hold the LICENSE of this repository`,
  );
  check(existsSync(join(place, "README.md")), `${name} holds no README.md`);
  for (const path of [...targetsOf(exports), ...Object.values(bin)]) {
    check(existsSync(join(place, path)), `${name} names ${path}, which it does not hold`);
  }
  const sources = globSync("**/*.{ts,tsx}", { cwd: place }).filter(
    (path) => !path.endsWith(".d.ts"),
  );
  check(sources.length === 0, `${name} holds sources: ${sources.join(", ")}`);
  for (const [own, version] of Object.entries(dependencies).filter(([one]) =>
    one.startsWith("@sineta/"),
  )) {
    const there = join(folder, "node_modules", own);
    check(
      existsSync(there) && manifestOf(there).version === version,
      `${name} depends on ${own} ${version}, which is not published with it`,
    );
  }
}

/** Node imports every module, that is, JavaScript with types; the others are files to be copied or linked. */
function checkImports({ name }, folder, isMeant = () => true) {
  const { exports } = manifestOf(join(folder, "node_modules", name));
  for (const [path, target] of Object.entries(exports).filter(([one]) => isMeant(one))) {
    const files = targetsOf(target);
    if (![".js", ".d.ts"].every((end) => files.some((file) => file.endsWith(end)))) continue;
    const specifier = `${name}${path.slice(1)}`;
    const script = `console.log(Object.keys(await import(${JSON.stringify(specifier)})).length)`;
    const names = attempt(specifier, () =>
      run(node, ["--input-type=module", "--eval", script], folder),
    );
    check(Number(names) > 0, `${specifier} exports nothing`);
  }
}

function checkCommands({ name }, folder) {
  const { bin = {} } = manifestOf(join(folder, "node_modules", name));
  for (const command of Object.keys(bin)) {
    const path = join(folder, "node_modules", ".bin", command);
    const help = attempt(command, () => run(path, ["--help"], folder));
    check(help.includes(command), `${command} --help says nothing of itself`);
  }
}

/** React's server components read it from the file's first line: what they import from there is for the browser. */
function checkReactDirective(folder) {
  for (const file of ["react/dist/index.js", "client/dist/index.js", "client/dist/firebase.js"]) {
    for (const place of [join(root, "packages"), join(folder, "node_modules", "@sineta")]) {
      const text = readFileSync(join(place, file), "utf8");
      check(
        /^["']use client["'];/.test(text),
        `${join(place, file)} does not begin with "use client"`,
      );
    }
  }
}

/** What pages and workers write to the console: S9's and S10's lines, and on loopback the hints. */
function checkConsole(folder) {
  const meant = { "client/dist/index.js": ["log", "log"], "client/dist/hints.js": ["warn"] };
  const place = join(folder, "node_modules", "@sineta");
  for (const file of globSync("{client,react}/dist/*.js", { cwd: place })) {
    const calls = readFileSync(join(place, file), "utf8").matchAll(/console\.(\w+)/g);
    const found = [...calls].map(([, method]) => method);
    check(
      found.join() === (meant[file] ?? []).join(),
      `@sineta/${file} writes to the console: ${found.join(", ")}`,
    );
  }
}

/** The built hints name a project that no address can hold: the bundler has not deleted their check. */
function checkHints(folder) {
  const script = `
    globalThis.location = new URL("http://localhost/");
    console.warn = (sentence) => console.log(sentence);
    const { sayNoMessaging } = await import("./node_modules/@sineta/client/dist/hints.js");
    sayNoMessaging({ project: "\\ud800" }, new URIError());`;
  const said = attempt("hints.js", () =>
    run(node, ["--input-type=module", "--eval", script], folder),
  );
  check(said.includes("the option project is"), `@sineta/client/dist/hints.js says: ${said}`);
}

const programs = [
  { file: "page.tsx", lib: ["es2024", "dom", "dom.iterable"], types: [] },
  { file: "worker.ts", lib: ["es2024", "webworker"], types: [] },
  { file: "lab.ts", lib: ["es2024", "dom", "dom.iterable"], types: ["node"] },
];
const resolutions = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "preserve", moduleResolution: "bundler" },
];
const strictness = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noEmit: true,
};

/** TypeScript compiles what users write, in both ways to find a module. */
function checkTypes(folder) {
  cpSync(join(root, "scripts", "consumers"), folder, { recursive: true });
  for (const { file, lib, types } of programs) {
    for (const resolution of resolutions) {
      const project = join(folder, "tsconfig.json");
      const options = {
        ...strictness,
        ...resolution,
        target: "es2024",
        jsx: "react-jsx",
        lib,
        types,
      };
      writeFileSync(project, JSON.stringify({ compilerOptions: options, files: [file] }));
      attempt(`${file}, ${resolution.moduleResolution}`, () => run("tsc", ["-p", project], folder));
    }
  }
}

/**
 * Builds, packs into dist/, and checks the tarballs. Empties dist/ before the build, so that a build that fails leaves no
 * files of an earlier one.
 *
 * @returns {Promise<import("./tarballs.mjs").Tarball[]>}
 * @throws {Error} with all that is wrong with them
 */
export async function makePackages() {
  rmSync(dist, { recursive: true, force: true });
  run(node, [join(root, "scripts", "build.mjs")], root);
  mkdirSync(dist);
  const tarballs = packPackages(dist);
  const folder = mkdtempSync(join(tmpdir(), "sineta-packages-"));
  try {
    const installWith = (devDependencies) => {
      const manifest = { private: true, type: "module", devDependencies };
      writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
      installTarballs(tarballs, folder);
    };
    // The main exports import without any optional peer.
    installWith({});
    for (const tarball of tarballs) checkImports(tarball, folder, (path) => path === ".");
    const peers = tarballs.flatMap(({ name }) =>
      Object.keys(manifestOf(join(folder, "node_modules", name)).peerDependenciesMeta ?? {}),
    );
    const types = ["@types/node", "@types/react"];
    installWith(Object.fromEntries([...types, ...peers].map((name) => [name, "*"])));
    for (const tarball of tarballs) {
      await checkWithPublint(tarball);
      checkContents(tarball, folder);
      checkImports(tarball, folder);
      checkCommands(tarball, folder);
    }
    checkReactDirective(folder);
    checkConsole(folder);
    checkHints(folder);
    checkTypes(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  return tarballs;
}

if (import.meta.main) {
  try {
    for (const { file } of await makePackages()) console.log(`packages: ${file}`);
  } catch (error) {
    for (const line of error.message.split("\n")) console.error(`packages: ${line}`);
    process.exitCode = 1;
  }
}
