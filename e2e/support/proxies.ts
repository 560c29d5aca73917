/** The configurations of nginx and Caddy that the server's package holds, each run by the real program on loopback. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { LabCertificate } from "@sineta/push-lab";
import { findProgram } from "../../scripts/programs.mjs";

export const proxyNames = ["nginx", "caddy"] as const;
type ProxyName = (typeof proxyNames)[number];

/** What an administrator puts into a configuration, for these tests. */
export type Place = {
  /** Ports on 127.0.0.1. */
  ports: { http: number; https: number; sineta: number };
  certificate: Pick<LabCertificate, "certPath" | "keyPath">;
  /** The folder of the site that Sineta is beside. */
  site: string;
};

export type Proxy = {
  /** What it has written so far. */
  said: () => string;
  stop: () => Promise<void>;
};

/** Reads one of the six files. @param layout such as `alone` */
export function readProxyFile(program: ProxyName, layout: string): Promise<string> {
  const ending = program === "nginx" ? "conf" : "Caddyfile";
  const path = `../../packages/server/deploy/${program}/${layout}.${ending}`;
  return readFile(fileURLToPath(new URL(path, import.meta.url)), "utf8");
}

/** Sineta's settings, as the head of the file names them. */
export function settingsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^# +(SINETA_\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}

/** Checks the file with the program's own check, then runs it. Resolves when it accepts connections. */
export async function startProxy(program: ProxyName, layout: string, place: Place): Promise<Proxy> {
  const command = findProgram(program);
  if (command === undefined) throw new Error(`there is no ${program}`);
  const folder = await mkdtemp(join(tmpdir(), `sineta-${program}-`));
  const text = await readProxyFile(program, layout);
  const path = join(folder, "configuration");
  await writeFile(path, program === "nginx" ? forNginx(text, place) : forCaddy(text, place));
  // Caddy keeps certificates and its last configuration below these folders.
  const homes = ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"].map((name) => [name, folder] as const);
  const env = { ...process.env, ...Object.fromEntries(homes) };
  const nginx = ["-p", folder, "-c", path, "-e", "stderr"];
  const caddy = ["--adapter", "caddyfile", "--config", path];
  const checking = program === "nginx" ? [...nginx, "-t"] : ["validate", ...caddy];
  const check = spawnSync(command, checking, { env, encoding: "utf8" });
  if (check.status !== 0) throw new Error(check.stderr);

  const child = spawn(command, program === "nginx" ? nginx : ["run", ...caddy], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (part) => {
    said += part;
  });
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  while (!(await accepts(place.ports.https)) && !hasEnded(child)) await pause(10);
  // Also if another program accepts connections on its port.
  if (hasEnded(child)) {
    await stop();
    throw new Error(said);
  }
  return { said: () => said, stop };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, "exit");
  // Browsers hold connections open, for which both would wait on SIGTERM or SIGQUIT.
  child.kill("SIGKILL");
  await exited;
}

/** As an administrator's nginx includes it; nginx runs as one process, and writes into its own folder alone. */
function forNginx(text: string, { ports, certificate, site }: Place): string {
  const adapted = substitute(text, [
    ["server 127.0.0.1:8080;", `server 127.0.0.1:${ports.sineta};`],
    ["listen 80;", `listen 127.0.0.1:${ports.http};`],
    ["listen 443 ssl", `listen 127.0.0.1:${ports.https} ssl`],
    [/^ +listen \[::\]:.*\n/gm, ""],
    [/(ssl_certificate) .*;/, `$1 ${certificate.certPath};`],
    [/(ssl_certificate_key) .*;/, `$1 ${certificate.keyPath};`],
  ]).replace("root /var/www/example.com;", `root ${site};`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `daemon off;
master_process off;
pid nginx.pid;
events {}
http {
  access_log off;
  types { text/html html; text/javascript js; text/css css; }
  ${temporary.map((name) => `${name}_temp_path ${name};`).join(" ")}
${adapted}}
`;
}

/** Names the test's certificate. Without one, Caddy would ask a certificate authority for it. */
function forCaddy(text: string, { ports, certificate, site }: Place): string {
  const adapted = substitute(text, [
    ["127.0.0.1:8080", `127.0.0.1:${ports.sineta}`],
    [/^\S*example\.com \{$/m, `$&\n\ttls ${certificate.certPath} ${certificate.keyPath}`],
  ]).replace("root * /var/www/example.com", `root * ${site}`);
  return `{
	admin off
	http_port ${ports.http}
	https_port ${ports.https}
	default_bind 127.0.0.1
	servers {
		# Chromium asks for HTTP/3 at its own time.
		protocols h1 h2
	}
}
${adapted}`;
}

/** Each must be there: what is tried is what ships. */
function substitute(text: string, changes: [from: string | RegExp, to: string][]): string {
  return changes.reduce((before, [from, to]) => {
    const after = before.replace(from, to);
    if (after === before) throw new Error(`the configuration has no ${from}`);
    return after;
  }, text);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
