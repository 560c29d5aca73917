import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

import { afterEach, describe, expect, test } from "vitest";

import { listen } from "./listening.ts";
import { bin, killAll, run, running } from "./test/run-command.ts";

afterEach(killAll);

async function checkInAt(url: string): Promise<void> {
  const response = await fetch(url, { method: "POST" });
  expect(response.status).toBe(200);
}

// Each starts a process of its own, which takes its time on a busy machine.
describe("the command", () => {
  test("prints what is needed as JSON, then what happens, and stops on SIGTERM", async () => {
    const { child, nextLine, ended } = run(["--json", "--host", "shop.example"]);
    const ready = JSON.parse(await nextLine());
    expect(ready).toMatchObject({
      type: "ready",
      serverEnvironment: { NODE_EXTRA_CA_CERTS: ready.caPath },
      pushService: { origin: "https://jmt17.google.com", address: "127.0.0.1" },
      proxy: { environment: { HTTPS_PROXY: ready.proxy.url } },
      control: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
    });
    expect(ready.chromium.args).toContainEqual(
      expect.stringContaining("MAP shop.example 127.0.0.1"),
    );

    expect(ready.firefox).toMatchObject({
      prefs: { "network.proxy.no_proxies_on": "shop.example" },
      environment: { MOZ_DISABLE_NONLOCAL_CONNECTIONS: "1" },
    });

    const [checkInUrl = ""] = ready.chromium.args.flatMap(
      (arg: string) => /^--gcm-checkin-url=(.*)$/.exec(arg)?.[1] ?? [],
    );
    await checkInAt(checkInUrl);
    expect(JSON.parse(await nextLine())).toMatchObject({
      type: "checked-in",
      browser: expect.stringMatching(/^\d+$/),
      atMs: expect.any(Number),
    });

    child.kill("SIGTERM");
    expect(await ended).toEqual({ exitCode: 0, complaint: "" });
    expect(existsSync(ready.directory)).toBe(false);
  });

  test("prints the same for people, and stops on SIGINT", async () => {
    const { child, nextLine, ended } = run([]);
    const lines: string[] = [];
    while (lines.at(-1) !== "What happens:") lines.push(await nextLine());
    const text = lines.join("\n");
    expect(text).toMatch(
      /^ {2}export SINETA_PUSH_ROUTES=jmt17\.google\.com=127\.0\.0\.1:\d+,updates\.push\.services\.mozilla\.com=127\.0\.0\.1:\d+$/m,
    );
    expect(text).toMatch(/^ {2}export NODE_EXTRA_CA_CERTS=\/.*\/ca\.pem$/m);
    expect(text).toMatch(/^ {2}export HTTPS_PROXY=http:\/\/127\.0\.0\.1:\d+$/m);
    expect(text).toMatch(
      /^ {2}curl --cacert \/.*\/ca\.pem --connect-to jmt17\.google\.com:443:127\.0\.0\.1:\d+$/m,
    );
    expect(text).toMatch(/^ {4}'--host-resolver-rules=MAP \* ~NOTFOUND , EXCLUDE localhost/m);

    expect(text).toMatch(/^user_pref\("dom\.push\.serverURL", "ws:\/\/127\.0\.0\.1:\d+\/"\);$/m);
    expect(text).toMatch(/^ {2}export MOZ_DISABLE_NONLOCAL_CONNECTIONS=1$/m);

    await checkInAt(/--gcm-checkin-url=(\S+)/.exec(text)?.[1] ?? "");
    expect(await nextLine()).toMatch(/^\d\d:\d\d:\d\d browser \d+ is new here$/);
    child.kill("SIGINT");
    expect(await ended).toEqual({ exitCode: 0, complaint: "" });
  });

  test("stops when the npm that ran it is gone, which hands on no signal", async () => {
    // The second command keeps the shell from becoming the first.
    const shell = spawn("sh", ["-c", '"$@"; exit', "sh", process.execPath, bin, "--json"], {
      env: { ...process.env, npm_lifecycle_event: "lab" },
    });
    running.add(shell);
    const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
    const ready = JSON.parse((await lines.next()).value ?? "");
    expect(existsSync(ready.directory)).toBe(true);
    const ended = once(shell, "close");
    shell.kill("SIGTERM");
    // Its output closes when nobody holds it any more.
    await ended;
    running.delete(shell);
    expect(existsSync(ready.directory)).toBe(false);
  });

  test("stops at the end of its input only where it was asked to", async () => {
    const asked = run(["--json", "--stop-on-stdin-end"]);
    await asked.nextLine();
    asked.child.stdin.end();
    expect((await asked.ended).exitCode).toBe(0);

    const notAsked = run(["--json"]);
    const inputClosed = once(notAsked.child.stdin, "close");
    notAsked.child.stdin.end();
    await inputClosed;
    const ready = JSON.parse(await notAsked.nextLine());
    await checkInAt(/http:[^"]*checkin/.exec(JSON.stringify(ready))?.[0] ?? "");
    expect(JSON.parse(await notAsked.nextLine())).toMatchObject({ type: "checked-in" });
  });

  test("listens on the ports it was given, and says so where it cannot", async () => {
    const ports = await fivePortsInARow();
    const [port] = ports.numbers;
    const { ended } = run(["--port", String(port)]);
    expect(await ended).toEqual({
      exitCode: 1,
      complaint: expect.stringMatching(
        new RegExp(
          `^push-lab: .*127\\.0\\.0\\.1:${port} \\(EADDRINUSE\\): choose another port.*\\n$`,
        ),
      ),
    });
    await ports.release();

    const { child, nextLine, ended: stopped } = run(["--json", "--port", String(port)]);
    expect(JSON.parse(await nextLine())).toMatchObject({ pushService: { port } });
    child.kill("SIGTERM");
    await stopped;
  });

  test.each([
    [["--prot", "1"], /Unknown option '--prot'.*See push-lab --help\.\n$/],
    [["--port", "soon"], /^push-lab: --port is "soon", expected a number/],
    [["--port", "65532"], /from 1 to 65531/],
    [["--control-port", "70000"], /^push-lab: --control-port is "70000", expected a number/],
    [["extra"], /extra/],
  ])("refuses %j in one line", async (args, complaint) => {
    const { exitCode, complaint: said } = await run(args).ended;
    expect(exitCode).toBe(2);
    expect(said).toMatch(complaint);
    expect(said.trim().split("\n")).toHaveLength(1);
  });

  test("explains itself", async () => {
    const { nextLine, ended } = run(["--help"]);
    expect(await nextLine()).toBe("Usage: push-lab [options]");
    expect((await ended).exitCode).toBe(0);
  });

  test("says what it needs on a Node that is too old", async () => {
    const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })`;
    const { ended } = run([], ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`]);
    expect(await ended).toEqual({
      exitCode: 1,
      complaint: "push-lab needs Node 26 or newer, and this is Node 20.20.2.\n",
    });
  });
});

/** Five ports next to each other that nobody else has, taken until they are released. */
async function fivePortsInARow() {
  for (;;) {
    const first = await listen(createServer(), 0, "test");
    const numbers = [0, 1, 2, 3, 4].map((more) => first.port + more);
    const others = await Promise.allSettled(
      numbers.slice(1).map((port) => listen(createServer(), port, "test")),
    );
    const taken = [
      first,
      ...others.flatMap((one) => (one.status === "fulfilled" ? one.value : [])),
    ];
    const release = async (): Promise<void> => {
      await Promise.all(taken.map(({ close }) => close()));
    };
    if (taken.length === numbers.length) return { numbers, release };
    await release();
  }
}
