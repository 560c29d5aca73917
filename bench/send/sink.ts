import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createCertificateAuthority } from "../../packages/push-lab/src/certificates.ts";

/** Stands for a push service: takes whatever is posted, over TLS, HTTP/1.1 and HTTP/2, and answers 201. */
export type Sink = {
  readonly port: number;
  /** Certificate to trust, PEM, and the file that it lies in. */
  readonly ca: string;
  readonly caFile: string;
  readonly close: () => Promise<void>;
};

/**
 * nginx, one process of it, since it takes a request with a fraction of what a client spends on one: where it is on the
 * machine the sink is not what is measured.
 * @throws if there is no nginx
 */
export async function startSink(hosts: readonly string[] = []): Promise<Sink> {
  const nginx = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"].find(
    existsSync,
  );
  if (nginx === undefined || spawnSync(nginx, ["-v"]).status !== 0) {
    throw new Error(
      "No nginx here, which is what the senders are measured against: apt-get install nginx-light",
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "sineta-sink-"));
  const port = await freePort();
  const authority = await createCertificateAuthority({ nowMs: Date.now(), random: randomBytes });
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, authority.caCertificate);
  writeFileSync(
    join(folder, "certificate.pem"),
    await authority.issue(["localhost", "127.0.0.1", ...hosts]),
  );
  writeFileSync(join(folder, "key.pem"), authority.leafKey, { mode: 0o600 });
  writeFileSync(join(folder, "nginx.conf"), configuration(folder, port));
  const child = spawn(
    nginx,
    ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")],
    {
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  const exited = once(child, "exit");
  await listening(port);
  return {
    port,
    ca: authority.caCertificate,
    caFile,
    async close() {
      child.kill("SIGQUIT");
      const impatient = setTimeout(() => child.kill("SIGTERM"), 2_000);
      await exited;
      clearTimeout(impatient);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder: string, port: number): string {
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log error;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ssl_certificate ${folder}/certificate.pem;
  ssl_certificate_key ${folder}/key.pem;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  # Otherwise nginx ends each connection after an hour.
  keepalive_time 24h;
  server {
    listen 127.0.0.1:${port} ssl http2 backlog=1024;
    http2_max_concurrent_streams 256;
    location / { return 201; }
  }
}
`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("The probe has no port");
  return address.port;
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const socket = connect(port, "127.0.0.1");
    const connected = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (connected) return;
    await delay(50);
  }
  throw new Error("nginx does not listen");
}
