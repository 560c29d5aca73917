import { beforeEach, expect, test } from "vitest";
import { createPageOrigins } from "./page-origins.ts";

let nowMs: number;
let reads: number;
let inSettings: string[];
beforeEach(() => {
  nowMs = 10_000;
  reads = 0;
  inSettings = ["https://site.example"];
});

const own = new Set(["https://avisos.example"]);
const create = (environment: readonly string[] | null) =>
  createPageOrigins({
    own,
    environment,
    readSettings: async () => {
      reads += 1;
      return inSettings;
    },
    now: () => nowMs,
  });
const listed = async (origins: ReturnType<typeof create>) => [...(await origins.all())];

test("without SINETA_ORIGINS the settings rule: read once a second, and at once when they have changed", async () => {
  const origins = create(null);
  expect(origins.source).toBe("settings");
  await Promise.all([origins.all(), origins.all(), origins.all()]);
  expect(reads).toBe(1);
  // Nothing is made for a request: all of a second get the very same.
  expect(origins.all()).toBe(origins.all());
  inSettings = ["https://other.example"];
  nowMs += 999;
  expect(await listed(origins)).toEqual(["https://avisos.example", "https://site.example"]);
  nowMs += 1;
  expect(await listed(origins)).toEqual(["https://avisos.example", "https://other.example"]);
  inSettings = [];
  origins.changed();
  expect(await listed(origins)).toEqual(["https://avisos.example"]);
  expect(reads).toBe(3);
});

test("SINETA_ORIGINS rules where it is set, and the settings are not even read", async () => {
  const origins = create(["https://loja.example"]);
  expect(origins.source).toBe("environment");
  origins.changed();
  expect(await listed(origins)).toEqual(["https://avisos.example", "https://loja.example"]);
  expect(await listed(create([]))).toEqual(["https://avisos.example"]);
  expect(reads).toBe(0);
});
