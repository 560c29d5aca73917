import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const BAKER_PASSWORD = "flour";

/** Starts the server as it is, in an environment that leads it to the lab. */
export async function startBakery(lab) {
  const folder = await mkdtemp(join(tmpdir(), "bakery-"));
  const server = spawn(process.execPath, [fileURLToPath(import.meta.resolve("../server.js"))], {
    env: {
      ...process.env,
      ...lab.proxy.environment,
      BAKER_PASSWORD,
      PORT: "0",
      DATA: join(folder, "bakery.json"),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(server.stdout), "line");
  const url = line.slice(line.indexOf("http"));
  const asBaker = async (path, options) => {
    const headers = { authorization: `Bearer ${BAKER_PASSWORD}` };
    return await (await fetch(`${url}/${path}`, { headers, ...options })).json();
  };

  return {
    url,
    tell: (news) => asBaker("news", { method: "POST", body: JSON.stringify(news) }),
    subscriptions: async () => (await asBaker("subscriptions")).count,
    close: async () => {
      server.kill();
      await once(server, "exit");
      await rm(folder, { recursive: true });
    },
  };
}
