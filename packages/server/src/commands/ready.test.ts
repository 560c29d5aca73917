import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testCertificate, testCertificateKey } from "../test/certificate.ts";
import { testPlaces } from "../test/places.ts";
import { readyLine, startSineta, type TestProcess } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";

let bench: ReturnType<typeof testPlaces>;
let server: TestProcess | undefined;
beforeEach(() => {
  bench = testPlaces();
  server = undefined;
});
afterEach(async () => {
  server?.kill("SIGKILL");
  await server?.ended;
  rmSync(bench.folder, { recursive: true });
});

async function serve(environment: Record<string, string>): Promise<string> {
  server = startSineta(["serve"], { ...bench, environment: { SINETA_PORT: "0", ...environment } });
  return new URL((await server.line(readyLine))[1] ?? "").port;
}

const ready = (environment: Record<string, string>) =>
  runCommand(["ready"], { ...bench, environment });

describe("sineta ready", () => {
  test.for(["127.0.0.1", "0.0.0.0", "::1", "::"])(
    "asks the server that listens on %s",
    async (host) => {
      const port = await serve({ SINETA_HOST: host });
      expect(await ready({ SINETA_HOST: host, SINETA_PORT: port })).toEqual({
        status: 0,
        out: "ready\n",
        err: "",
      });
    },
  );

  test("asks by https where the server has a certificate", async () => {
    writeFileSync(join(bench.folder, "cert.pem"), testCertificate);
    writeFileSync(join(bench.folder, "key.pem"), testCertificateKey);
    const tls = {
      SINETA_TLS_CERT: "cert.pem",
      SINETA_TLS_KEY: "key.pem",
      SINETA_PUBLIC_URL: "https://avisos.example.com",
    };
    const port = await serve(tls);
    expect(await ready({ ...tls, SINETA_PORT: port })).toMatchObject({ status: 0, err: "" });
  });

  test("says that the server is not ready", async () => {
    const port = await serve({});
    const database = new DatabaseSync(join(bench.dataFolder, "sineta.db"));
    database.exec("alter table messages rename to lost");
    database.close();
    await expect
      .poll(() => ready({ SINETA_PORT: port }))
      .toEqual({
        status: 1,
        out: "",
        err: `sineta: The server at http://127.0.0.1:${port} answers with status 503: its log says why it is not ready.\n`,
      });
  });

  test("says that no server answers", async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const port = String((silent.address() as AddressInfo).port);
    const started = `sineta: No server answers at http://127.0.0.1:${port}`;
    expect(await ready({ SINETA_PORT: port })).toEqual({
      status: 1,
      out: "",
      err: `${started} (nothing came for 5 seconds).\n`,
    });
    silent.close();
    await once(silent, "close");
    expect(await ready({ SINETA_PORT: port })).toMatchObject({
      status: 1,
      err: `${started} (ECONNREFUSED).\n`,
    });
  });
});
