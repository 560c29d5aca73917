import { expect, test } from "vitest";
import { testPlaces } from "../test/places.ts";
import { rmSync } from "node:fs";
import { checkDisk } from "./check-disk.ts";

const dataFolder = "/srv/sineta";
const gib = 1024 ** 3;
const check = (freeBytes: number, kind = 0xef53) =>
  checkDisk({ dataFolder, lowBytes: gib, read: async () => ({ freeBytes, kind }) });

test("tells what is left", async () => {
  expect(await check(gib)).toMatchObject([{ code: "disk-free", state: "ok", seen: "1.0 GiB" }]);
  expect(await check(gib - 1)).toMatchObject([
    { code: "disk-low", state: "to-do", seen: "1024 MiB", subject: "1.0 GiB" },
  ]);
  expect(await check(0)).toMatchObject([{ code: "disk-low", seen: "0 B" }]);
});

test.for([
  ["NFS", 0x6969],
  ["CIFS", 0xff534d42],
  ["CIFS", 0xff534d42 - 2 ** 32],
] as const)("names the network file system %s (%d)", async ([seen, kind]) => {
  expect(await check(2 * gib, kind)).toMatchObject([
    { code: "disk-free" },
    { code: "disk-remote", state: "to-do", subject: dataFolder, seen },
  ]);
});

test("reads the disk of a real folder", async () => {
  const { folder } = testPlaces();
  const found = await checkDisk({ dataFolder: folder, lowBytes: 1 });
  rmSync(folder, { recursive: true });
  expect(found).toMatchObject([
    { code: "disk-free", seen: expect.stringMatching(/^[\d.]+ [MGT]iB$/) },
  ]);
});
