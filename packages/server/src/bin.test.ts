import { describe, expect, test } from "vitest";
import { startScript } from "./test/process.ts";

const bin = new URL("../bin/sineta.mjs", import.meta.url);
/** Makes the process believe that it is an older Node. */
const pretendNode20 = `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.1.2"}})`;

/** Writes the address of every module that the process loads. */
const tellModules = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      process.stderr.write(url + "\\n");
      return next(url, context);
    },
  });
`)}`;

describe("bin/sineta.mjs", () => {
  test("runs the command", async () => {
    expect(await startScript(bin, ["--help"]).ended).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("sineta <command>"),
      stderr: "",
    });
    expect(await startScript(bin, ["ring"]).ended).toMatchObject({ status: 2, stdout: "" });
  });

  test("says on a Node that is too old which one it takes, and nothing else", async () => {
    const { status, stdout, stderr } = await startScript(bin, ["--help"], {
      preload: pretendNode20,
    }).ended;
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^sineta: Node 20\.1\.2 is too old: run it with Node 26 or later.*\n$/);
  });

  test("loads the server for `sineta serve` alone", async () => {
    const { stderr } = await startScript(bin, ["--help"], { preload: tellModules }).ended;
    const modules = stderr.split("\n");
    expect(modules).toContain(new URL("commands/serve.ts", import.meta.url).href);
    expect(modules).not.toContain(new URL("server.ts", import.meta.url).href);
  });
});
