/** The delivery on a real database, step by step, with a fake in the place of the push services and a clock of its own. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { createBreakers } from "../delivery/breakers.ts";
import { createDispatch, type Dispatch, type DispatchParts } from "../delivery/dispatch.ts";
import { createLog } from "../log.ts";
import { setUp, type ContractBench } from "../store/contract/bench.ts";
import type { Breaker, Message, NewMessage, OutcomeCounts } from "../store/port.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { writeEmptyDatabase } from "../store/sqlite/testing/empty-database.ts";
import type { Withdraw } from "../delivery/under-way.ts";
import { fakePush, type FakePush } from "./fake-push.ts";

export type DeliveryOptions = Partial<DispatchParts>;

/** How long a page waits for its slow push origins; no other pause is as long. */
const patienceMs = 1_001;

export type DeliveryBench = {
  store: ContractBench;
  databasePath: string;
  push: FakePush;
  clock: { nowMs: number };
  logged: string[];
  /** What the delivery counted: `service outcome` with how many pushes. */
  counted: Map<string, number>;
  tokens: string[];
  stopping: AbortController;
  /** Called for each pause before something is written again. */
  onPause: (milliseconds: number) => void;
  /** Resolves when a page has waited long enough for its slow push origins; without it, never. */
  patience: () => Promise<void>;
  /** What is withdrawn from the senders: nothing waits in a fake. */
  withdraw: Withdraw;
  /** What a server does when it starts: it knows nothing but what the database says. */
  start(options?: DeliveryOptions): Promise<void>;
  /** Another one that delivers from the same database; what is not given is as of the bench. */
  another(options?: DeliveryOptions): Dispatch;
  /** The one that delivers. */
  dispatch(): Dispatch;
  /** One step, and the turns that it started. */
  step(): Promise<boolean>;
  untilIdle(): Promise<void>;
  /** Steps, without waiting for turns, until this holds. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>;
  register(count: number, pushOrigin?: string): Promise<void>;
  /** As if these push origins had accepted something long ago. */
  prove(...pushOrigins: string[]): void;
  publish(over?: Partial<NewMessage>): Promise<string>;
  find(id: string): Promise<Message>;
  breakers(): Promise<Breaker[]>;
  close(): Promise<void>;
};

export async function deliveryBench(options: DeliveryOptions = {}): Promise<DeliveryBench> {
  const folder = mkdtempSync(join(tmpdir(), "sineta-delivery-"));
  const databasePath = join(folder, "test.db");
  writeEmptyDatabase(databasePath);
  let dispatch: Dispatch;
  const bench: DeliveryBench = {
    store: await setUp({
      open: () => openSqliteStore(databasePath, 0),
      remove: async () => undefined,
    }),
    databasePath,
    push: fakePush(),
    clock: { nowMs: 1_000 },
    logged: [],
    counted: new Map(),
    tokens: [],
    stopping: new AbortController(),
    onPause: () => undefined,

    patience: () => new Promise<void>(() => undefined),
    withdraw: async () => undefined,

    async start(over = {}) {
      bench.stopping = new AbortController();
      await bench.store.store.delivery.releaseAll();
      dispatch = bench.another(over);
    },
    another(over = {}) {
      const { store } = bench.store;
      const log = createLog("info", { write: (text) => bench.logged.push(text) });
      const now = () => bench.clock.nowMs;
      const metrics = {
        pushes: (service: string, outcome: string, count: number) => {
          const name = `${service} ${outcome}`;
          bench.counted.set(name, (bench.counted.get(name) ?? 0) + count);
        },
        breaker: () => undefined,
      };
      const { pageSize = 4 } = over;
      return createDispatch({
        store: store.delivery,
        messages: store.messages,
        breakers: createBreakers({ store: store.breakers, log, metrics, now }),
        send: (...push) => bench.push.send(...push),
        withdraw: (which) => bench.withdraw(which),
        metrics,
        owner: randomUUID(),
        leaseMs: 60_000,
        concurrency: 3,
        pageSize,
        // The same for those that have never accepted anything, so that no case depends on what was accepted before.
        unprovenSlots: over.concurrency ?? 3,
        lookups: over.concurrency ?? 3,
        unprovenPageSize: pageSize,
        patienceMs,
        turnsPerDestination: 1,
        probes: { most: 8, mostUnproven: 8 },
        planKeys: 100,
        dueInZone: () => 0,
        now,
        random: () => 0,
        log,
        async pause(milliseconds, signal) {
          if (milliseconds !== patienceMs) return bench.onPause(milliseconds);
          const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
          await Promise.race([signal.aborted || ended, bench.patience()]);
        },
        ...over,
      });
    },
    dispatch: () => dispatch,
    async step() {
      const worked = await dispatch.step(bench.stopping.signal, () => undefined);
      await dispatch.turnsEnded();
      return worked;
    },
    async untilIdle() {
      while (await bench.step());
    },
    async until(holds) {
      while (!(await holds())) {
        await dispatch.step(bench.stopping.signal, () => undefined);
        await setImmediate();
      }
    },
    async register(count, pushOrigin) {
      for (let index = 0; index < count; index += 1) {
        bench.tokens.push(await bench.store.add(pushOrigin === undefined ? {} : { pushOrigin }));
      }
    },
    prove(...pushOrigins) {
      const database = new DatabaseSync(databasePath);
      const insert = database.prepare("insert into proven_origins values (?, ?, 0)");
      for (const pushOrigin of pushOrigins) insert.run(pushOrigin, bench.store.vapidKeyId);
      database.close();
    },
    async publish(over = {}) {
      const message = bench.store.message(over);
      await bench.store.store.messages.publish(message, bench.clock.nowMs);
      return message.id;
    },
    async find(id) {
      const message = await bench.store.store.messages.find(bench.store.projectId, id);
      if (message === null) throw new Error("the message is not there");
      return message;
    },
    breakers: () => bench.store.store.breakers.list(),
    async close() {
      await bench.store.store.close();
      rmSync(folder, { recursive: true });
    },
  };
  await bench.start(options);
  return bench;
}

export function countsOf(over: Partial<OutcomeCounts>): OutcomeCounts {
  return { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0, ...over };
}
