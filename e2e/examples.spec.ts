/** The examples, the code that the console gives, and the server, as somebody has them who installs the published packages. */
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer } from "vite";
import { noTokenLine, off, on, setToken, tokenActions, tokenOf } from "./support/bell.ts";
import type { Desktop } from "./support/desktop.ts";
import { expect, test as base } from "./support/fixtures.ts";
import { enrolOwner, openConsole } from "./support/operator.ts";
import { freePort, type SinetaServer } from "./support/server.ts";
import { install, type Installation, pack } from "./support/tarballs.ts";
import type { Visitor, VisitorOptions } from "./support/visitor.ts";

// The packages are packed once: all of these tests run in one worker.
base.describe.configure({ mode: "default" });

type Example = Parameters<typeof install>[1];

const test = base.extend<
  { installed: (example: Example) => Promise<Installation> },
  { tarballs: Awaited<ReturnType<typeof pack>>["tarballs"] }
>({
  tarballs: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it which fixtures are needed: none
    async ({}, use) => {
      const { tarballs, remove } = await pack();
      await use(tarballs);
      await remove();
    },
    { scope: "worker" },
  ],
  installed: async ({ tarballs }, use) => {
    const installations: Installation[] = [];
    await use(async (example) => {
      const installation = await install(tarballs, example);
      installations.push(installation);
      return installation;
    });
    await Promise.all(installations.map((installation) => installation.remove()));
  },
});

const title = "Olá";
const body = "O pão saiu do forno.";

async function expectShown(visitor: Visitor, desktop: Desktop) {
  expect((await desktop.notification(title)).body).toContain(body);
  expect(visitor.complaints).toEqual([]);
}

test("the installed server serves its site, whose bell turns on", async ({
  desktop,
  installed,
  lab,
  visit,
}) => {
  const { startServer } = await installed(null);
  const server = await startServer(lab.serverEnvironment);
  for (const path of ["/docs", "/docs/swagger-ui-bundle.js"]) {
    expect((await fetch(new URL(path, server.url))).status).toBe(200);
  }
  const visitor = await visit({ url: server.url, desktop });
  const token = await tokenOf(visitor);
  expect(
    (await server.run("send", "--to", token, "--title", title, "--body", body)).stdout,
  ).toContain("1 accepted");
  await expectShown(visitor, desktop);
});

test("examples/page: a button of plain HTML", async ({ desktop, installed, lab, visit }) => {
  const { folder, runScript, startServer, serveFiles } = await installed("page");
  const port = await freePort();
  const server = await startServer({
    ...lab.serverEnvironment,
    SINETA_ORIGINS: `http://localhost:${port}`,
  });
  runScript("copy");
  const html = await readFile(join(folder, "public", "index.html"), "utf8");
  const [key = ""] = (await server.run("keys")).stdout.split("\n");
  await writeFile(
    join(folder, "public", "index.html"),
    html.replace("http://localhost:8080", server.url).replace("B...", key),
  );
  const visitor = await visit({ url: await serveFiles("public", port), desktop });

  await expect(visitor.bell).toHaveAccessibleName(on);
  await expect(visitor.bell).toHaveAttribute("title", on);
  await expect
    .poll(() => visitor.lines)
    .toEqual([{ text: expect.stringMatching(/^[\w-]{43}$/), count: 1 }]);
  const [line] = visitor.lines;
  await visitor.bell.click();
  await expect.poll(() => visitor.lines).toEqual([line, line]);
  const words = ["--to", line?.text ?? "", "--title", title, "--body", body];
  expect((await server.run("send", ...words)).stdout).toContain("1 accepted");
  await expectShown(visitor, desktop);
});

test("examples/page: stays off where notifications are refused", async ({ installed, visit }) => {
  const { runScript, serveFiles } = await installed("page");
  const port = await freePort();
  runScript("copy");
  const visitor = await visit({ url: await serveFiles("public", port), allows: false });
  await expect.poll(() => visitor.lines).toEqual([noTokenLine]);
  await expect(visitor.bell).toHaveAccessibleName(off);
});

test("examples/react: the token in a Redux store, once in StrictMode", async ({
  desktop,
  installed,
  lab,
  visit,
}) => {
  const { folder, runScript, startServer, serveFiles } = await installed("react");
  const port = await freePort();
  const server = await startServer({
    ...lab.serverEnvironment,
    SINETA_ORIGINS: `http://localhost:${port}`,
  });
  const [key = ""] = (await server.run("keys")).stdout.split("\n");
  const settings = await readFile(join(folder, ".env.example"), "utf8");
  await writeFile(
    join(folder, ".env.local"),
    settings.replace("http://localhost:8080", server.url).replace("B...", key),
  );
  runScript("build");
  const visitor = await visit({ url: await serveFiles("dist", port), desktop });

  const token = await tokenOf(visitor);
  expect(await tokenActions(visitor)).toEqual([setToken]);
  await expect(visitor.page.locator("output")).toHaveText(token);
  expect((await server.run("send", "--title", title, "--body", body)).stdout).toContain(
    "1 accepted",
  );
  await expectShown(visitor, desktop);
});

test("no example gives out Sineta's data beside its page", async ({ installed }) => {
  const page = await installed("page");
  const readme = await readFile(join(page.folder, "README.md"), "utf8");
  const [, served = "."] = /npx serve -l 5173 (\S+)/.exec(readme) ?? [];
  expect(await readdir(join(page.folder, served))).toEqual(["index.html"]);

  const { folder } = await installed("react");
  await mkdir(join(folder, "data"));
  await writeFile(join(folder, "data", "secret"), "a secret");
  const port = await freePort();
  const vite = await createServer({
    root: folder,
    logLevel: "silent",
    server: { host: "localhost", port, strictPort: true },
  });
  try {
    await vite.listen();
    for (const path of ["data/secret", "data/secret?raw", `@fs${folder}/data/secret`]) {
      const answer = await fetch(`http://localhost:${port}/${path}`);
      expect(answer.status, path).toBe(403);
      expect(await answer.text()).not.toContain("a secret");
    }
  } finally {
    await vite.close();
  }
});

test("examples/next: the bell in a server component", async ({
  desktop,
  installed,
  lab,
  visit,
}) => {
  // Next.js builds for a minute on a busy machine.
  test.slow();
  const { folder, startServer, startNext } = await installed("next");
  const port = await freePort();
  const server = await startServer({
    ...lab.serverEnvironment,
    SINETA_ORIGINS: `http://localhost:${port}`,
  });
  const [key = ""] = (await server.run("keys")).stdout.split("\n");
  const settings = await readFile(join(folder, ".env.example"), "utf8");
  await writeFile(
    join(folder, ".env.local"),
    settings.replace("http://localhost:8080", server.url).replace("B...", key),
  );
  const visitor = await visit({ url: await startNext(port), desktop, allows: false });
  // The page loads, and asks: without a window Chromium answers no.
  await expect.poll(() => visitor.lines).toEqual([noTokenLine]);
  await expectBellWorks(server, visitor, desktop);
  expect(visitor.registrations).toMatchObject([{ method: "POST", body: { vapidKey: key } }]);
  expect(visitor.lines).toEqual([noTokenLine]);
});

type Snippet = { terminal: string; code: string };

/** Copies from Instalar o sino, as an operator does, what is to be run and written for a site at another origin than the server's. */
async function copySnippet(
  server: SinetaServer,
  visit: (options?: Partial<VisitorOptions>) => Promise<Visitor>,
  kind: "React" | "HTML simples",
): Promise<Snippet> {
  const cookie = await enrolOwner(server);
  const { page, context } = await openConsole({ server, visit }, cookie, "/instalar");
  const { origin } = new URL(server.url);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  await page.getByText(kind, { exact: true }).click();
  const copy = async (part: string) => {
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await page.getByRole("region", { name: part }).getByRole("button", { name: "Copiar" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe("");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  return {
    terminal: await copy("1. No terminal"),
    code: await copy("2. No código da página"),
  };
}

/** Runs what is to be run in a terminal: of the packages, those that are packed are installed already. */
function runInTerminal({ terminal }: Snippet, folder: string, names: readonly string[]): void {
  const [first, ...others] = terminal.split("\n");
  expect(first?.replaceAll(/-\d+\.\d+\.\d+\.tgz/g, "")).toBe(
    `npm install ${names.map((name) => `../sineta/dist/sineta-${name}`).join(" ")}`,
  );
  execFileSync("sh", ["-e", "-c", others.join("\n")], { cwd: folder });
}

/** Whoever has not been asked clicks on the bell, allows it, and gets a notice. */
async function expectBellWorks(
  server: SinetaServer,
  visitor: Visitor,
  desktop: Desktop,
): Promise<void> {
  await expect(visitor.bell).toHaveAccessibleName(off);
  const { origin } = new URL(visitor.page.url());
  await visitor.context.grantPermissions(["notifications"], { origin });
  await visitor.bell.click();
  await expect(visitor.bell).toHaveAccessibleName(on);
  const sent = await server.run("send", "--title", title, "--body", body);
  expect(sent.stdout).toContain("1 accepted");
  await expectShown(visitor, desktop);
}

test("Instalar o sino: the code for a page of plain HTML", async ({
  desktop,
  installed,
  lab,
  visit,
}) => {
  const { folder, startServer, serveFiles } = await installed(null);
  const port = await freePort();
  const site = `http://localhost:${port}/`;
  const server = await startServer({ ...lab.serverEnvironment, SINETA_ORIGINS: site });
  const snippet = await copySnippet(server, visit, "HTML simples");
  expect(snippet.code).toContain(`server: "${new URL(server.url).origin}",`);
  runInTerminal(snippet, folder, ["client"]);
  const head =
    '<meta charset="utf-8" /><link rel="icon" href="data:," /><title>Uma padaria</title>';
  await writeFile(
    join(folder, "index.html"),
    `<!doctype html><html lang="pt-BR"><head>${head}</head><body>\n${snippet.code}\n</body></html>`,
  );
  const visitor = await visit({ url: await serveFiles(".", port), desktop, allows: false });
  await expectBellWorks(server, visitor, desktop);
});

test("Instalar o sino: the code for React", async ({ desktop, installed, lab, visit }) => {
  const { folder, runScript, startServer, serveFiles } = await installed("react");
  const port = await freePort();
  const site = `http://localhost:${port}/`;
  const server = await startServer({ ...lab.serverEnvironment, SINETA_ORIGINS: site });
  const snippet = await copySnippet(server, visit, "React");
  runInTerminal(snippet, folder, ["client", "react"]);
  await writeFile(join(folder, "src", "bell.tsx"), snippet.code);
  const main = `import { createRoot } from "react-dom/client";
import { Bell } from "./bell.tsx";

const root = document.getElementById("root");
if (root) createRoot(root).render(<Bell />);
`;
  await writeFile(join(folder, "src", "main.tsx"), main);
  runScript("build");
  const visitor = await visit({ url: await serveFiles("dist", port), desktop, allows: false });
  await expectBellWorks(server, visitor, desktop);
});
