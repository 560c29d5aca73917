import { execFile } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publishedSchema, type MessageRequest } from "@sineta/protocol";
import { seed } from "../../soak/support/seed.ts";
import { startServerProcess } from "../broadcast/process.ts";

const sineta = fileURLToPath(import.meta.resolve("../../packages/server/bin/sineta.mjs"));

/** A data folder with registrations and an API key in it, of which servers get copies. */
export type Template = { readonly folder: string; readonly apiKey: string };

/** @param endpoints one for each registration, in the order of registering */
export async function makeTemplate(
  folder: string,
  endpoints: readonly string[],
): Promise<Template> {
  await seed(folder, endpoints);
  const command = [sineta, "api-keys", "create", "bench", "--scopes", "send,read,manage"];
  const env = { ...process.env, SINETA_DATA: folder };
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  const apiKey = /sineta_[\w-]{43}/.exec(stdout)?.[0];
  if (apiKey === undefined) throw new Error(`no API key: ${stdout}`);
  return { folder, apiKey };
}

/** A running server, as people install it and with no setting of the tests: it resolves names and connects as anywhere. */
export type Site = {
  readonly url: string;
  /** A message to everybody, worth delivering for 28 days. @param topic under which the push services count it */
  readonly publish: (topic: string) => Promise<void>;
  /** CPU time of the server so far. */
  readonly cpuSeconds: () => number;
  /** How many lines the server has logged. */
  readonly logLines: () => number;
  /** Repeatable. */
  readonly stop: () => Promise<void>;
};

/** @param dataFolder a template's, or a copy of it */
export async function startSite(dataFolder: string, apiKey: string, caFile: string): Promise<Site> {
  const logFile = `${dataFolder}.log`;
  const log = openSync(logFile, "w");
  const env = {
    ...process.env,
    NODE_EXTRA_CA_CERTS: caFile,
    SINETA_DATA: dataFolder,
    SINETA_PORT: "0",
  };
  const server = await startServerProcess(env, log);
  closeSync(log);
  return {
    url: server.url,
    async publish(topic) {
      const message: MessageRequest = {
        target: { kind: "all" },
        notification: { title: "Bolo", body: "Saiu do forno agora há pouco" },
        collapseKey: topic,
      };
      const answer = await fetch(new URL("/v1/projects/default/messages", server.url), {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${apiKey}` },
        body: JSON.stringify(message),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status} ${text}`);
      publishedSchema.parse(JSON.parse(text));
    },
    cpuSeconds: server.cpuSeconds,
    logLines: () => readFileSync(logFile, "utf8").split("\n").length - 1,
    stop: server.stop,
  };
}

/** Spreads the second list evenly over the first, so that neither is registered before the other. */
export function mixed(one: readonly string[], other: readonly string[]): string[] {
  const placed = [one, other].flatMap((list) =>
    list.map((each, index) => ({ each, at: (index + 0.5) / list.length })),
  );
  return placed.toSorted((left, right) => left.at - right.at).map(({ each }) => each);
}
