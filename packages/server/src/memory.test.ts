import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { resourceLimits } from "./delivery/threads/start-thread.ts";

// V8's flags are the whole process's: what comes of them is seen in one of its own.
const script = `
  import { Worker } from "node:worker_threads";
  import { keepMemorySmall } from ${JSON.stringify(import.meta.resolve("./memory.ts"))};
  keepMemorySmall();
  const fillYoung = \`() => {
    let kept = [];
    for (let made = 0; made < 3e6; made += 1) {
      kept.push({ made });
      if (kept.length > 5e4) kept = [];
    }
    const spaces = process.getBuiltinModule("node:v8").getHeapSpaceStatistics();
    return spaces.find(({ space_name }) => space_name === "new_space").space_size / 2 ** 20;
  }\`;
  const inThread = \`process.getBuiltinModule("node:worker_threads").parentPort.postMessage((\${fillYoung})())\`;
  const thread = new Worker(inThread, { eval: true, resourceLimits: ${JSON.stringify(resourceLimits)} });
  thread.once("message", (ofThread) => {
    console.log(JSON.stringify({ ofThread, ofMain: (0, eval)(fillYoung)() }));
  });`;

test("the main thread's young generation stays small, and a thread that sends has what pushes fit in", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const { ofThread, ofMain } = JSON.parse(stdout);
  // Two halves, of which one is empty, and a few pages more or less. In MB.
  const both = (2 / 3) * resourceLimits.maxYoungGenerationSizeMb;
  expect(ofThread).toBeGreaterThan(0.9 * both);
  expect(ofMain).toBeLessThan(both / 2);
});
