import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testPlaces } from "../test/places.ts";
import { readyLine, startSineta, type TestProcess } from "../test/process.ts";

let bench: ReturnType<typeof testPlaces>;
let processes: TestProcess[];
beforeEach(() => {
  bench = testPlaces();
  processes = [];
});
afterEach(async () => {
  for (const { kill } of processes) kill("SIGKILL");
  await Promise.all(processes.map(({ ended }) => ended));
  rmSync(bench.folder, { recursive: true });
});

function serve(environment: Record<string, string> = {}): TestProcess {
  const child = startSineta(["serve"], {
    places: bench.places,
    folder: bench.folder,
    environment: { SINETA_PORT: "0", SINETA_LOG_LEVEL: "trace", ...environment },
  });
  processes.push(child);
  return child;
}
async function stop(server: TestProcess) {
  server.kill("SIGTERM");
  return server.ended;
}
const linkLine = /^There is no operator yet: .* 24 hours .*: (\S+\/painel\/convite#([\w-]{43}))$/;
async function started(server: TestProcess) {
  const site = (await server.line(readyLine))[1] ?? "";
  const [, link = "", token = ""] = await server.line(linkLine);
  return { site, link, token };
}
const post = (site: string, path: string, body: object) =>
  fetch(`${site}v1/${path}`, {
    method: "POST",
    headers: { Origin: new URL(site).origin, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const baker = { email: "baker@site.example", name: "Baker", password: "oito pontes de pedra" };

describe("the first start", () => {
  test("prints a link that makes the owner, once; nothing of it is logged or kept", async () => {
    const server = serve();
    const { site, link, token } = await started(server);
    expect(link).toBe(`${site}painel/convite#${token}`);
    const looked = await post(site, "invitations/look", { token });
    expect(await looked.json()).toEqual({
      project: "default",
      displayName: "",
      role: "owner",
      email: null,
    });
    const accepted = await post(site, "invitations/accept", { token, ...baker });
    expect(accepted.status).toBe(200);
    expect(await accepted.json()).toMatchObject({ roles: { default: "owner" } });
    const cookie = accepted.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    const operators = await fetch(`${site}v1/projects/default/operators`, {
      headers: { Cookie: cookie },
    });
    expect(await operators.json()).toMatchObject({ operators: [{ email: baker.email }] });
    const again = await post(site, "invitations/accept", { token, ...baker, email: "b@c.example" });
    expect(again.status).toBe(404);
    await post(site, "session", { email: baker.email, password: "wrong password" });

    const { stdout, stderr } = await stop(server);
    expect(stdout.split("\n")[1]).toMatch(linkLine);
    expect(stderr).toContain("listening");
    const session = cookie.split("=")[1] ?? "";
    const kept = readdirSync(bench.dataFolder)
      .map((name) => readFileSync(join(bench.dataFolder, name), "latin1"))
      .join("");
    expect(kept).toContain(baker.email);
    // OWASP's parameters for Argon2id.
    expect(kept).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
    for (const secret of [token, session, baker.password, "wrong password"]) {
      expect(secret).not.toBe("");
      expect(stderr).not.toContain(secret);
      expect(kept).not.toContain(secret);
    }

    // There is an operator now.
    const next = serve();
    await next.line(readyLine);
    expect((await stop(next)).stdout).not.toContain("painel/convite");
  });

  test("prints another link each time, at the public address, and the earlier one is good no more", async () => {
    const first = serve();
    const { token: earlier } = await started(first);
    await stop(first);
    const second = serve({ SINETA_PUBLIC_URL: "https://sino.example" });
    const { site, link, token } = await started(second);
    expect(link).toBe(`https://sino.example/painel/convite#${token}`);
    expect(token).not.toBe(earlier);
    expect((await post(site, "invitations/look", { token: earlier })).status).toBe(404);
    expect((await post(site, "invitations/look", { token })).status).toBe(200);
  });
});
