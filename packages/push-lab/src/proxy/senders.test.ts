/** Senders that are not ours reach the lab: curl, Python, and web-push on Node. */
import { execFile } from "node:child_process";
import { createECDH, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type PushLab, startPushLab } from "../lab.ts";
import { type OutgoingPush, signedPush, vapidKeys } from "../test/application-server.ts";
import { checkIn, subscribe } from "../test/chromium-client.ts";

let lab: PushLab;
let endpoint: string;
let directory: string;
beforeAll(async () => {
  lab = await startPushLab();
  endpoint = await subscribe(lab, await checkIn(lab));
  directory = await mkdtemp(join(tmpdir(), "push-lab-test-"));
});
afterAll(async () => {
  await lab.close();
  await rm(directory, { recursive: true });
});

type Run = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** Runs a program that has this environment, and nothing of ours but where programs are. */
async function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Run> {
  const env = { PATH: process.env["PATH"], ...environment };
  return await new Promise((resolve) => {
    execFile(program, [...args], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** A push in a form that any program can be given. */
async function pushInFiles(): Promise<{ push: OutgoingPush; bodyPath: string; pushPath: string }> {
  const push = signedPush({ endpoint, body: randomBytes(64) });
  const bodyPath = join(directory, "body");
  const pushPath = join(directory, "push.json");
  await writeFile(bodyPath, push.body);
  await writeFile(pushPath, JSON.stringify({ ...push, body: bodyPath }));
  return { push, bodyPath, pushPath };
}

async function curl(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run & { readonly sent: Uint8Array }> {
  const { push, bodyPath } = await pushInFiles();
  const headers = Object.entries(push.headers).flatMap(([name, value]) => [
    "-H",
    `${name}: ${value}`,
  ]);
  const common = ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "--data-binary", `@${bodyPath}`];
  const done = await run("curl", [...common, ...headers, ...args, endpoint], environment);
  return { ...done, sent: push.body };
}

// Each test starts programs of others, which takes its time on a busy machine.
describe("curl", () => {
  test("reaches the lab by its environment alone", async () => {
    const { sent, ...done } = await curl([], lab.proxy.environment);
    expect(done).toEqual({ exitCode: 0, stdout: "201", stderr: "" });
    expect(Buffer.from((await lab.nextPush()).body)).toEqual(sent);
  });

  test("reaches the lab by the address of the endpoint, without the proxy", async () => {
    const { sent, ...done } = await curl(lab.reach(endpoint).curl);
    expect(done).toEqual({ exitCode: 0, stdout: "201", stderr: "" });
    expect(Buffer.from((await lab.nextPush()).body)).toEqual(sent);
  });

  test("is told what was refused", async () => {
    const refused = lab.until(nextRefusal(lab));
    const { exitCode, stderr } = await run(
      "curl",
      ["-sSv", "https://example.com/"],
      lab.proxy.environment,
    );
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("403 Not a push service of the lab");
    expect(await refused).toBe("example.com:443");
  });
});

describe("Python, without a library", () => {
  const script = (send: string): string => `
import http.client, json, os, sys, urllib.error, urllib.parse, urllib.request
push = json.load(open(sys.argv[1]))
body = open(push["body"], "rb").read()
headers = push["headers"]
endpoint = push["endpoint"]
${send}`;
  const withUrllib = script(`
request = urllib.request.Request(endpoint, data=body, headers=headers, method="POST")
print(urllib.request.urlopen(request).status)`);
  const withHttpClient = script(`
proxy = urllib.parse.urlsplit(os.environ["HTTPS_PROXY"])
target = urllib.parse.urlsplit(endpoint)
connection = http.client.HTTPSConnection(proxy.hostname, proxy.port)
connection.set_tunnel(target.hostname)
connection.request("POST", target.path, body, headers)
print(connection.getresponse().status)`);

  test.each([
    ["urllib", withUrllib],
    ["http.client", withHttpClient],
  ])("reaches the lab with %s", async (_name, source) => {
    const { push, pushPath } = await pushInFiles();
    const done = await run("python3", ["-c", source, pushPath], lab.proxy.environment);
    expect(done).toEqual({ exitCode: 0, stdout: "201\n", stderr: "" });
    expect(Buffer.from((await lab.nextPush()).body)).toEqual(push.body);
  });

  test("is told what was refused", async () => {
    const refused = lab.until(nextRefusal(lab));
    const source = `import urllib.request; urllib.request.urlopen("https://example.com/")`;
    const { exitCode, stderr } = await run("python3", ["-c", source], lab.proxy.environment);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Tunnel connection failed: 403 Not a push service of the lab");
    expect(await refused).toBe("example.com:443");
  });
});

describe("web-push on Node", () => {
  const sendWith = (options: string): string => `
const webpush = require("web-push");
const { subscription, vapidDetails } = JSON.parse(process.argv[1]);
webpush.sendNotification(subscription, "Hello", { vapidDetails, TTL: 60 ${options} })
  .then(({ statusCode }) => console.log(statusCode), (error) => console.log(error.message));`;

  const send = async (source: string, environment: Readonly<Record<string, string>>) => {
    const browser = createECDH("prime256v1");
    const keys = {
      p256dh: browser.generateKeys("base64url"),
      auth: randomBytes(16).toString("base64url"),
    };
    const vapidDetails = { ...vapidKeys, subject: "mailto:sineta@example.com" };
    const given = JSON.stringify({ subscription: { endpoint, keys }, vapidDetails });
    return await run(process.execPath, ["-e", source, given], environment);
  };

  test("reaches the lab by its environment alone", async () => {
    expect((await send(sendWith(""), lab.proxy.environment)).stdout).toBe("201\n");
    expect(await lab.nextPush()).toMatchObject({ endpoint, status: 201 });
  });

  test("reaches the lab by its own proxy option, where Node does not look at the environment", async () => {
    const { NODE_USE_ENV_PROXY: _, ...environment } = lab.proxy.environment;
    const source = sendWith(", proxy: process.env.HTTPS_PROXY");
    expect((await send(source, environment)).stdout).toBe("201\n");
    expect(await lab.nextPush()).toMatchObject({ endpoint, status: 201 });
  });

  test("does not trust the lab unless it is told to", async () => {
    const { NODE_EXTRA_CA_CERTS: _, ...environment } = lab.proxy.environment;
    expect((await send(sendWith(""), environment)).stdout).toMatch(
      /unable to verify|unable to get/,
    );
  });
});

describe("Node's own fetch", () => {
  const source = "fetch(process.argv[1]).then(({ status }) => console.log(status))";
  const visit = (address: string) =>
    run(process.execPath, ["-e", source, address], lab.proxy.environment);

  test("reaches the lab by its environment", async () => {
    expect((await visit(endpoint)).stdout).toBe("405\n");
  });

  test("reaches nobody else", async () => {
    const refused = lab.until(nextRefusal(lab));
    expect(await visit("https://example.com/")).toMatchObject({ exitCode: 1, stdout: "" });
    expect(await refused).toBe("example.com:443");
  });
});

/** For `until`: the target of the first refusal from now on. */
function nextRefusal(of: PushLab): () => string | undefined {
  let target: string | undefined;
  const stop = of.onEvent((event) => {
    if (event.type !== "proxy-refused") return;
    target = event.target;
    stop();
  });
  return () => target;
}
