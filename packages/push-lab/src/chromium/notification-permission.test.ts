import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { allowNotifications } from "./notification-permission.ts";

let profile: string;
beforeEach(async () => {
  profile = await mkdtemp(join(tmpdir(), "push-lab-profile-"));
});
afterEach(() => rm(profile, { recursive: true }));

const path = () => join(profile, "Default", "Preferences");
const read = async (): Promise<unknown> => JSON.parse(await readFile(path(), "utf8"));
const allowed = (notifications: object) => ({
  profile: { content_settings: { exceptions: { notifications } } },
});

test("a fresh profile gets the permission", async () => {
  await allowNotifications(profile, ["http://127.0.0.1:8080"]);
  expect(await read()).toEqual(allowed({ "http://127.0.0.1:8080,*": { setting: 1 } }));
});

test("what a used profile holds stays", async () => {
  await mkdir(join(profile, "Default"));
  const before = { ...allowed({ "https://a.example:443,*": { setting: 2 } }), other: [1] };
  await writeFile(path(), JSON.stringify(before));
  await allowNotifications(profile, ["https://b.example:443"]);
  expect(await read()).toEqual({
    ...allowed({
      "https://a.example:443,*": { setting: 2 },
      "https://b.example:443,*": { setting: 1 },
    }),
    other: [1],
  });
});

test("preferences that cannot be read are left as they are", async () => {
  await mkdir(join(profile, "Default"));
  await writeFile(path(), "{ broken");
  await expect(allowNotifications(profile, ["https://b.example"])).rejects.toThrow(SyntaxError);
  expect(await readFile(path(), "utf8")).toBe("{ broken");
});
