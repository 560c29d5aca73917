/**
 * examples/foreign-server: a server that is not ours is tested with the lab by its owner, who has installed the published
 * package. What is run here are the owner's tests, as they are.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test as base } from "@playwright/test";
import { environment } from "./support/environment.ts";
import { install, type Installation, pack } from "./support/tarballs.ts";

const test = base.extend<object, { installation: Installation }>({
  installation: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it which fixtures are needed: none
    async ({}, use) => {
      const { tarballs, remove } = await pack();
      const installation = await install(tarballs, "foreign-server");
      await use(installation);
      await installation.remove();
      await remove();
    },
    { scope: "worker" },
  ],
});

test.describe.configure({ timeout: 180_000 });

test("node --test, in Chromium and in Firefox", async ({ installation }) => {
  const files = ["--test", "--test-reporter=tap", "test/bakery.test.js"];
  const { output, exitCode } = await run(process.execPath, files, installation);
  expect(exitCode, output).toBe(0);
  for (const browser of ["openChromium", "openFirefox"])
    expect(output).toMatch(new RegExp(`^ok \\d+ - ${browser}$`, "m"));
  expect(output).toMatch(/^# pass 8$/m);
});

test("Playwright Test, in Chromium", async ({ installation }) => {
  const command = join(installation.folder, "node_modules", ".bin", "playwright");
  const { output, exitCode } = await run(command, ["test"], installation);
  expect(exitCode, output).toBe(0);
  expect(output).toContain("2 passed");
});

/** Runs a program in the example's folder. */
async function run(
  program: string,
  args: string[],
  { folder }: Installation,
): Promise<{ output: string; exitCode: number }> {
  // What Playwright tells its own workers would confuse the one that is run here; so would Node the test runner's.
  const ofTestRunners = /^(PLAYWRIGHT|PW|TEST_|NODE_TEST)/;
  const env = Object.fromEntries(
    Object.entries(environment()).filter(([name]) => !ofTestRunners.test(name)),
  );
  return await new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ output: stdout + stderr, exitCode: error === null ? 0 : Number(error.code) });
    });
  });
}
