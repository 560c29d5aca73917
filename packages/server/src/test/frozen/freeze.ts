/** Writes a frozen data folder beside this file: freeze.ts <name>. See README.md. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import type { MessageStatus, Urgency } from "@sineta/protocol";
import { addVapidKey, deliverInPart, openBench, type Bench } from "./by-delivery.ts";
import { enrol, gather, report } from "./by-http.ts";
import type { Facts, FrozenMessages } from "./facts.ts";
import { hosts, setStage, type Stage } from "./stage.ts";

const [name] = process.argv.slice(2);
if (name === undefined || !/^[\w-]+$/.test(name)) throw new Error("Expected: freeze.ts <name>");
const target = join(import.meta.dirname, name);

const stage = await setStage();
try {
  const facts = await write(stage);
  const database = join(stage.dataFolder, "sineta.db");
  shrink(database);
  // Never in the place of another one.
  mkdirSync(target);
  writeFileSync(join(target, "sineta.db.gz"), gzipSync(readFileSync(database), { level: 9 }));
  copyFileSync(join(stage.dataFolder, "secret"), join(target, "secret"));
  writeFileSync(join(target, "facts.json"), `${JSON.stringify(facts, null, 2)}\n`);
} finally {
  await stage.close();
}

async function write(on: Stage): Promise<Facts> {
  const server = await on.serve();
  const enrolled = await enrol(server);
  const { browsers, called, messages } = await gather(server, on, enrolled.apiKey);
  const beside = await openBench(on);
  const { baker, ...reported } = await report(server, messages.done, called, beside.project);
  browsers.push(baker);
  await beside.close();
  await server.stop();
  addVapidKey(on.dataFolder);

  const bench = await openBench(on);
  const inPart = await deliverInPart(bench, on, { browsers, called });
  const read = await readFacts(bench, { ...messages, ...inPart });
  await bench.close();
  const accepted = (urgency: Urgency) =>
    on.seen
      .filter((push) => push.urgency === urgency && push.status === 201)
      .map(({ browser }) => browser);
  return {
    ...enrolled,
    ...reported,
    ...read,
    browsers,
    accepted: { high: accepted("high"), low: accepted("low"), "very-low": accepted("very-low") },
  };
}

async function readFacts(bench: Bench, ids: FrozenMessages<string>) {
  const { store, project } = bench;
  const statuses = await Promise.all(
    Object.entries(ids).map(async ([each, id]) => [each, await bench.status(id)] as const),
  );
  const publicKeys = new Map(project.keys.all.map(({ id, publicKey }) => [id, publicKey]));
  const { exceptions } = await store.messages.exceptions(ids.done, { afterId: 0, limit: 100 });
  const audit = await store.audit.list([null, project.id], { limit: 500 });
  return {
    frozenAtMs: Date.now(),
    messages: Object.fromEntries(statuses) as FrozenMessages<MessageStatus>,
    services: await store.messages.progress(ids.done),
    proven: await provenOrigins(bench),
    reasons: await store.messages.reasons(ids.done),
    exceptions,
    breakers: (await store.breakers.list()).map(
      ({ pushOrigin, vapidKeyId, reason, detail, openedAtMs }) => {
        const vapidKey = publicKeys.get(vapidKeyId) ?? "";
        return { pushOrigin, vapidKey, reason, detail, openedAtMs };
      },
    ),
    auditActions: audit.map(({ action }) => action),
  };
}

async function provenOrigins({ store, project }: Bench): Promise<string[]> {
  const vapidKeyId = Math.min(...project.keys.all.map(({ id }) => id));
  const proven: string[] = [];
  for (const host of hosts) {
    const pushOrigin = `https://${host}`;
    if (await store.breakers.hasEverAccepted({ pushOrigin, vapidKeyId })) proven.push(pushOrigin);
  }
  return proven;
}

/** One file without a log beside it, as small as it gets. */
function shrink(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("vacuum; pragma wal_checkpoint(truncate); pragma journal_mode = delete");
  database.close();
}
