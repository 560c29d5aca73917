import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Installation } from "@sineta/protocol";
import { bellColors, pagesFirst, snippetOf } from "./snippet.ts";

const vapidKey = `B${"k".repeat(86)}`;
const installation: Installation = {
  displayName: "",
  serverUrl: "https://avisos.example/",
  publicUrlIsSet: true,
  allowLoopback: false,
  origins: ["https://avisos.example", "https://site.example"],
  ownOrigins: ["https://avisos.example"],
  originsSource: "settings",
  worker: "/sineta-sw.js",
  vapidKeys: [{ publicKey: vapidKey, createdAt: "2026-12-01T09:00:00Z" }],
  vapidSubject: "mailto:sineta@example.com",
  keepDays: { ended: 30, receipts: 90, audit: 365 },
  version: "0.1.0",
};
const place = {
  installation,
  project: "default",
  origin: "https://site.example",
  server: "https://avisos.example",
};
const code = (...asked: Parameters<typeof snippetOf>) =>
  snippetOf(...asked).find(({ where }) => where === "code")?.text ?? "";

test.for(["react", "html"] as const)(
  "for %s: server and key, and nothing that is so anyway",
  (kind) => {
    const text = code(kind, place, {});
    expect(text).toContain('server: "https://avisos.example",');
    expect(text).toContain(`vapidKey: "${vapidKey}",`);
    expect(text).not.toMatch(/project:|allowLoopback/);
    const own = code(kind, { ...place, origin: "https://avisos.example" }, {});
    expect(own).not.toContain("server:");
    const local = { ...installation, allowLoopback: true };
    const loopback = { ...place, origin: "http://localhost:5173" };
    expect(code(kind, loopback, {})).toContain("allowLoopback: true,");
    const other = code(kind, { ...place, installation: local, project: "second" }, {});
    expect(other).toContain("allowLoopback: true,");
    expect(other).toContain('project: "second",');
  },
);

test("what fails is told in the browser's console, on load and on a click", () => {
  expect(code("react", place, {})).toContain("onError={console.error}");
  const html = code("html", place, {});
  expect(html).toContain("const asker = { onError: console.error };");
  expect(html).toContain("notifications.ask(asker)");
  expect(html).toContain("notifications.askOnLoad(bell, asker)");
});

test("colours of one's own are styles; the bell's own need none", () => {
  const styles = (colors: object) =>
    snippetOf("react", place, colors).filter(({ where }) => where === "styles");
  expect(styles({})).toEqual([]);
  expect(styles({ ...bellColors })).toEqual([]);
  expect(styles({ on: "#aa0000" })).toEqual([
    { where: "styles", text: ":root {\n  --sineta-bell-on: #aa0000;\n}" },
  ]);
});

test("the bell's own colours are those of its styles", () => {
  const path = fileURLToPath(import.meta.resolve("../../../../../packages/react/src/bell.css"));
  const css = readFileSync(path, "utf8");
  for (const [name, color] of Object.entries(bellColors)) {
    expect(css).toContain(`var(--sineta-bell-${name}, ${color})`);
  }
});

test.for(["react", "html"] as const)(
  "installs %s from the files that a checkout packs, since no registry has them",
  (kind) => {
    const [terminal] = snippetOf(kind, place, {});
    expect(terminal?.text).toContain("../sineta/dist/sineta-client-0.1.0.tgz");
    expect(terminal?.text).not.toMatch(/install @sineta/);
  },
);

test("a plain page gets all files of the client, again after an upgrade, too", () => {
  const folder = mkdtempSync(join(tmpdir(), "sineta-plain-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const installed = join(folder, "node_modules/@sineta/client/dist");
  mkdirSync(installed, { recursive: true });
  const names = ["hints.js", "index.js", "sw.js"];
  const [terminal] = snippetOf("html", place, {});
  const copying = terminal?.text.split("\n").filter((line) => !line.startsWith("npm ")) ?? [];
  for (const content of ["before", "after"]) {
    for (const name of names) writeFileSync(join(installed, name), content);
    execFileSync("sh", ["-ec", copying.join("\n")], { cwd: folder });
    const copied = [...names.map((name) => join("sineta", name)), "sineta-sw.js"];
    for (const file of copied) expect(readFileSync(join(folder, file), "utf8")).toBe(content);
  }
});

test("the code is for a page of the site's; for Sineta's own, where there is no other", () => {
  expect(pagesFirst(installation)).toEqual(["https://site.example", "https://avisos.example"]);
  const alone = { ...installation, origins: installation.ownOrigins };
  expect(pagesFirst(alone)).toEqual(["https://avisos.example"]);
});
