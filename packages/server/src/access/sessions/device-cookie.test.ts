import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createDeviceCookies } from "./device-cookie.ts";

const secret = randomBytes(32);
const cookies = createDeviceCookies({ secret, randomBytes });
const baker = { id: 1, passwordHash: "hash" };

test("a cookie names its device, also when the server has started again", () => {
  const [one, other] = [cookies.make(baker), cookies.make(baker)];
  const device = cookies.read(one, baker);
  expect(device).toMatch(/^[\w-]{22}$/);
  expect(cookies.read(other, baker)).not.toBe(device);
  expect(createDeviceCookies({ secret, randomBytes }).read(one, baker)).toBe(device);
});

test("it is worth nothing for another account, after a new password, or under another secret", () => {
  const cookie = cookies.make(baker);
  expect(cookies.read(cookie, { ...baker, id: 2 })).toBeNull();
  expect(cookies.read(cookie, { ...baker, passwordHash: "new" })).toBeNull();
  const others = createDeviceCookies({ secret: randomBytes(32), randomBytes });
  expect(others.read(cookie, baker)).toBeNull();
});

test("nor is one that somebody made up or changed", () => {
  const cookie = cookies.make(baker);
  const [device = "", signature = ""] = cookie.split(".");
  const changed = `${device.startsWith("A") ? "B" : "A"}${device.slice(1)}`;
  for (const made of ["", ".", device, `${device}.`, `${changed}.${signature}`, `${cookie}A`]) {
    expect(cookies.read(made, baker)).toBeNull();
  }
  expect(cookies.read(`${device}.${"A".repeat(43)}`, baker)).toBeNull();
});
