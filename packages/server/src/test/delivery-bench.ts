/** The delivery on a real database, step by step, with a fake in the place of the push services and a clock of its own. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBreakers } from "../delivery/breakers.ts";
import { createDispatch, type Dispatch } from "../delivery/dispatch.ts";
import { createLog } from "../log.ts";
import { setUp, type ContractBench } from "../store/contract/bench.ts";
import type { Breaker, Message, NewMessage, OutcomeCounts } from "../store/port.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { fakePush, type FakePush } from "./fake-push.ts";

export type DeliveryOptions = { concurrency?: number; pageSize?: number; planKeys?: number };

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
  /** What a server does when it starts: it knows nothing but what the database says. */
  start(options?: DeliveryOptions): Promise<void>;
  /** One step, and the turns that it started. */
  step(): Promise<boolean>;
  untilIdle(): Promise<void>;
  register(count: number, pushOrigin?: string): Promise<void>;
  publish(over?: Partial<NewMessage>): Promise<string>;
  find(id: string): Promise<Message>;
  breakers(): Promise<Breaker[]>;
  close(): Promise<void>;
};

export async function deliveryBench(options: DeliveryOptions = {}): Promise<DeliveryBench> {
  const folder = mkdtempSync(join(tmpdir(), "sineta-delivery-"));
  const databasePath = join(folder, "test.db");
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

    async start({ concurrency = 3, pageSize = 4, planKeys = 100 } = {}) {
      const { store } = bench.store;
      bench.stopping = new AbortController();
      const log = createLog("info", { write: (text) => bench.logged.push(text) });
      const now = () => bench.clock.nowMs;
      const metrics = {
        pushes: (service: string, outcome: string, count: number) => {
          const name = `${service} ${outcome}`;
          bench.counted.set(name, (bench.counted.get(name) ?? 0) + count);
        },
        breaker: () => undefined,
      };
      await store.delivery.releaseAll();
      dispatch = createDispatch({
        store: store.delivery,
        messages: store.messages,
        breakers: createBreakers({ store: store.breakers, log, metrics, now }),
        send: (...push) => bench.push.send(...push),
        metrics,
        owner: randomUUID(),
        leaseMs: 60_000,
        concurrency,
        pageSize,
        planKeys,
        mostTurns: 8,
        turnsPerDestination: 1,
        dueInZone: () => 0,
        now,
        random: () => 0,
        pause: async (milliseconds) => bench.onPause(milliseconds),
        log,
      });
    },
    async step() {
      const worked = await dispatch.step(bench.stopping.signal, () => undefined);
      await dispatch.turnsEnded();
      return worked;
    },
    async untilIdle() {
      while (await bench.step());
    },
    async register(count, pushOrigin) {
      for (let index = 0; index < count; index += 1) {
        bench.tokens.push(await bench.store.add(pushOrigin === undefined ? {} : { pushOrigin }));
      }
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
