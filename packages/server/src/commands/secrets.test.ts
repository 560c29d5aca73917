import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { thawData } from "../backup/testing/scene.ts";
import { secretPath } from "../secrets/secret-file.ts";
import { testPlaces } from "../test/places.ts";
import { runCommand } from "../test/run-command.ts";

let bench: ReturnType<typeof testPlaces>;
beforeEach(() => {
  bench = testPlaces();
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

const fingerprint = (environment: Record<string, string> = {}) =>
  runCommand(["secrets", "fingerprint"], { ...bench, environment });
const secret = () => secretPath(bench.dataFolder);
const other = Buffer.alloc(32, 1).toString("base64url");

describe("sineta secrets fingerprint", () => {
  test("names the next secret where a killed rotation has sealed with it", async () => {
    thawData(bench.dataFolder);
    renameSync(secret(), `${secret()}.next`);
    writeFileSync(secret(), other);
    expect(await fingerprint()).toEqual({ status: 0, out: "5ee05a36\n", err: "" });
  });

  test("names no secret that does not open the database", async () => {
    thawData(bench.dataFolder);
    expect(await fingerprint({ SINETA_SECRET: "x".repeat(40) })).toMatchObject({
      status: 1,
      out: "",
      err: expect.stringMatching(/^sineta: SINETA_SECRET does not fit the stored keys: /),
    });
    rmSync(secret());
    const { out, err } = await fingerprint();
    expect({ out, err }).toEqual({ out: "", err: expect.stringContaining("secret is missing") });
  });

  test("names the secret there is where there is no database yet", async () => {
    mkdirSync(bench.dataFolder);
    writeFileSync(secret(), other);
    const { status, out } = await fingerprint();
    expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/^[0-9a-f]{8}\n$/) });
  });
});
