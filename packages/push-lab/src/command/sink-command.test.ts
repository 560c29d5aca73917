import { existsSync } from "node:fs";
import { createServer } from "node:net";

import { afterEach, describe, expect, test } from "vitest";

import { listen } from "../listening.ts";
import { signedPush, vapidKeys } from "../test/application-server.ts";
import { killAll, run } from "../test/run-command.ts";
import { openHttp1, openHttp2 } from "../test/watching-client.ts";

afterEach(killAll);

const fcm = "https://fcm.googleapis.com";
const apple = "https://web.push.apple.com";

// Each starts a process of its own, which takes its time on a busy machine.
describe("push-lab sink", () => {
  test("says where it is, takes pushes, obeys, counts, and stops on SIGTERM", async () => {
    const origins = ["--origin", fcm, "--origin", apple];
    const { child, nextLine, ended } = run(["sink", ...origins, "--json", "--max-streams", "9"]);
    const ready = JSON.parse(await nextLine());
    const { port, caPath, control } = ready;
    expect(ready).toEqual({
      type: "ready",
      origins: [fcm, apple],
      port: expect.any(Number),
      places: [fcm, apple].map((origin) => ({ origin, address: "127.0.0.1", port })),
      control: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
      caPath: expect.stringMatching(/^\/.*ca\.pem$/),
      serverEnvironment: {
        NODE_EXTRA_CA_CERTS: caPath,
        SINETA_PUSH_ROUTES: `fcm.googleapis.com=127.0.0.1:${port},web.push.apple.com=127.0.0.1:${port}`,
      },
    });

    const rule = { fault: { kind: "answer", status: 429 }, after: 1, times: 1 };
    await fetch(`${control.url}/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(rule),
    });
    const client = openHttp2({ origin: fcm, port, caPath });
    const statuses = [];
    for (let sent = 0; sent < 3; sent += 1)
      statuses.push((await client.send(signedPush({ endpoint: `${fcm}/a` })).over).status);
    expect(statuses).toEqual([201, 429, 201]);
    expect(client.allowedStreams).toEqual([9]);
    const counts = await (await fetch(`${control.url}/counts`)).json();
    expect(counts).toMatchObject({ requests: 3, accepted: 2, distinct: 1 });

    child.kill("SIGTERM");
    expect(await ended).toEqual({ exitCode: 0, complaint: "" });
    await client.gone;
    expect(existsSync(caPath)).toBe(false);
  });

  test("prints the same for people, and stops on SIGINT, whoever hangs", async () => {
    const { child, nextLine, ended } = run(["sink", "--origin", apple]);
    const lines = [await nextLine()];
    while (!lines.at(-1)?.includes("/faults")) lines.push(await nextLine());
    const text = lines.join("\n");
    expect(text).toMatch(/^The sink plays https:\/\/web\.push\.apple\.com on 127\.0\.0\.1:\d+\.$/m);
    expect(text).toMatch(/^ {2}export SINETA_PUSH_ROUTES=web\.push\.apple\.com=127\.0\.0\.1:\d+$/m);
    const [, command = ""] = / -d '(.*)'$/.exec(text) ?? [];
    const [, url = ""] = /curl (\S+\/faults)/.exec(text) ?? [];
    const headers = { "content-type": "application/json" };
    expect((await fetch(url, { method: "POST", headers, body: command })).status).toBe(201);
    const port = Number(/127\.0\.0\.1:(\d+)\.$/m.exec(text)?.[1]);
    const caPath = /NODE_EXTRA_CA_CERTS=(.*)$/m.exec(text)?.[1] ?? "";
    const client = openHttp2({ origin: apple, port, caPath });
    const hung = client.send(signedPush({ endpoint: `${apple}/a` }));
    await client.send(signedPush({ endpoint: `${apple}/a` })).over;
    child.kill("SIGINT");
    expect((await ended).exitCode).toBe(0);
    expect((await hung.over).status).toBeUndefined();
  });

  test("stops with its input, listens where it was told, and takes all its options", async () => {
    const free = await listen(createServer(), 0, "test");
    await free.close();
    const { child, nextLine, ended } = run([
      "sink",
      "--origin",
      fcm,
      "--json",
      "--stop-on-stdin-end",
      "--http1",
      "--control-port",
      String(free.port),
      "--vapid-key",
      vapidKeys.publicKey,
    ]);
    const { port, caPath, control } = JSON.parse(await nextLine());
    expect(control.url).toBe(`http://127.0.0.1:${free.port}`);
    const place = { origin: fcm, port, caPath };
    const http2 = openHttp2(place);
    expect((await http2.send(signedPush({ endpoint: `${fcm}/a` })).over).status).toBeUndefined();
    const http1 = openHttp1(place);
    expect((await http1.send(signedPush({ endpoint: `${fcm}/a` })).over).status).toBe(201);
    http1.close();
    child.stdin.end();
    expect((await ended).exitCode).toBe(0);
  });

  test("takes anything where it is not to check, each origin on a port of its own", async () => {
    const { child, nextLine, ended } = run([
      "sink",
      "--origin",
      fcm,
      "--origin",
      apple,
      "--json",
      "--check",
      "none",
      "--port-per-origin",
    ]);
    const { places, caPath } = JSON.parse(await nextLine());
    expect(places[0].port).not.toBe(places[1].port);
    const client = openHttp2({ ...places[1], caPath });
    const bare = { endpoint: `${apple}/a`, headers: {}, body: new Uint8Array(0) };
    expect((await client.send(bare).over).status).toBe(201);
    client.close();
    child.kill("SIGTERM");
    await ended;
  });

  test.each([
    [[], /^push-lab: --origin is missing, .*See push-lab sink --help\.\n$/],
    [["--origin", fcm, "--check", "some"], /--check is "some", expected all or none/],
    [["--origin", fcm, "--port", "x"], /--port is "x", expected a number from 1 to 65535/],
    [["--origin", fcm, "--max-streams", "-1"], /max-streams/],
    [["--origin", fcm, "extra"], /extra/],
  ])("refuses %j in one line", async (args, complaint) => {
    const { exitCode, complaint: said } = await run(["sink", ...args]).ended;
    expect(exitCode).toBe(2);
    expect(said).toMatch(complaint);
    expect(said.trim().split("\n")).toHaveLength(1);
  });

  test("says which origin is none, and explains itself", async () => {
    expect(await run(["sink", "--origin", "fcm.googleapis.com"]).ended).toEqual({
      exitCode: 1,
      complaint: expect.stringMatching(/^push-lab: "fcm\.googleapis\.com" is no origin of a push/),
    });
    const { nextLine, ended } = run(["sink", "--help"]);
    expect(await nextLine()).toMatch(/^Usage: push-lab sink --origin/);
    expect((await ended).exitCode).toBe(0);
  });
});
