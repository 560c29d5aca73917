import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createDeviceCookies } from "./device-cookie.ts";

const secret = randomBytes(32);
const cookies = createDeviceCookies({ secret, randomBytes });
const ana = { id: 1, passwordHash: "hash" };

test("a cookie names its device, also when the server has started again", () => {
  const [one, other] = [cookies.make(ana), cookies.make(ana)];
  const device = cookies.read(one, ana);
  expect(device).toMatch(/^[\w-]{22}$/);
  expect(cookies.read(other, ana)).not.toBe(device);
  expect(createDeviceCookies({ secret, randomBytes }).read(one, ana)).toBe(device);
});

test("it is worth nothing for another account, after a new password, or under another secret", () => {
  const cookie = cookies.make(ana);
  expect(cookies.read(cookie, { ...ana, id: 2 })).toBeNull();
  expect(cookies.read(cookie, { ...ana, passwordHash: "new" })).toBeNull();
  const others = createDeviceCookies({ secret: randomBytes(32), randomBytes });
  expect(others.read(cookie, ana)).toBeNull();
});

test("nor is one that somebody made up or changed", () => {
  const cookie = cookies.make(ana);
  const [device = "", signature = ""] = cookie.split(".");
  const changed = `${device.startsWith("A") ? "B" : "A"}${device.slice(1)}`;
  for (const made of ["", ".", device, `${device}.`, `${changed}.${signature}`, `${cookie}A`]) {
    expect(cookies.read(made, ana)).toBeNull();
  }
  expect(cookies.read(`${device}.${"A".repeat(43)}`, ana)).toBeNull();
});
