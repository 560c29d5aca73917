import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { billOf } from "./sbom.mjs";
import { manifestOf } from "./tarballs.mjs";

const folder = mkdtempSync(join(tmpdir(), "sineta-bill-"));
afterAll(() => rmSync(folder, { recursive: true }));

const locked = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const timestamp = "2026-11-29T09:35:03.000Z";

function packed(short, dependencies) {
  const name = `@sineta/${short}`;
  const source = join(folder, short, "package");
  mkdirSync(source, { recursive: true });
  const manifest = { name, version: "0.2.0", license: "Apache-2.0", dependencies };
  writeFileSync(join(source, "package.json"), JSON.stringify(manifest));
  const file = join(folder, `sineta-${short}-0.2.0.tgz`);
  execFileSync("tar", ["-czf", file, "-C", join(folder, short), "package"]);
  return { ...manifestOf(source), folder: source, file };
}

const bell = packed("bell", { ws: "*" });
const page = packed("page", { "@sineta/bell": "0.2.0" });
const other = packed("other", { pino: "*" });
let bill;
beforeAll(() => {
  bill = billOf(page, [bell, page, other], timestamp);
});

test("a bill lists what is installed, in the versions of the lockfile", () => {
  const { metadata, components } = JSON.parse(bill);
  expect(metadata.timestamp).toBe(timestamp);
  expect(metadata.component.name).toBe("sineta-page-0.2.0");
  expect(
    components.map(({ purl, licenses }) => [purl, licenses.map(({ license }) => license.id)]),
  ).toEqual([
    ["pkg:npm/%40sineta/bell@0.2.0", ["Apache-2.0"]],
    ["pkg:npm/%40sineta/page@0.2.0", ["Apache-2.0"]],
    [`pkg:npm/ws@${locked.packages["node_modules/ws"].version}`, ["MIT"]],
  ]);
});

test("a bill has the same bytes each time, and names no file of this machine", () => {
  expect(billOf(page, [bell, page, other], timestamp)).toBe(bill);
  expect(bill).not.toContain(folder);
});

test("refuses a package that the lockfile does not have", () => {
  const stranger = packed("stranger", { "not-in-the-lockfile": "1.0.0" });
  expect(() => billOf(stranger, [stranger], timestamp)).toThrow("not-in-the-lockfile");
});
