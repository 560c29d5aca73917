import { expect, test } from "vitest";
import { nameFindings } from "./check-public-url.ts";

const host = "avisos.example.com";
const alive = (address: string) => ({ address, fault: null, certificate: null });
const dead = (address: string, fault = "ECONNREFUSED") => ({ ...alive(address), fault });

test("a name leads to the public addresses where something answers", () => {
  expect(nameFindings(host, [alive("203.0.113.5"), alive("2001:db8::5")])).toMatchObject([
    { code: "name-resolves", state: "ok", subject: host, seen: "203.0.113.5, 2001:db8::5" },
  ]);
});

test("names each address where nothing answers, if something answers at another", () => {
  expect(
    nameFindings(host, [alive("203.0.113.5"), dead("2001:db8::5"), dead("203.0.113.6")]),
  ).toMatchObject([
    { code: "name-resolves" },
    { code: "address-dead", state: "to-do", subject: host, seen: "2001:db8::5" },
    { code: "address-dead", seen: "203.0.113.6" },
  ]);
  expect(nameFindings(host, [dead("203.0.113.5"), dead("203.0.113.6")])).toMatchObject([
    { code: "name-resolves" },
  ]);
});

test("an address that this machine has no way to is not blamed", () => {
  const places = [alive("203.0.113.5"), dead("2001:db8::5", "ENETUNREACH")];
  expect(nameFindings(host, places)).toMatchObject([{ code: "name-resolves" }]);
});

test.for([
  ["10.1.2.3", "name-private", "ok"],
  ["192.168.1.2", "name-private", "ok"],
  ["fd00::1", "name-private", "ok"],
  ["127.0.1.1", "name-local", "unknown"],
  ["::1", "name-local", "unknown"],
] as const)("tells of %s: %s", ([address, code, state]) => {
  expect(nameFindings(host, [alive(address)])).toMatchObject([{ code, state, seen: address }]);
});

test("a name of the machine itself, and an address, lead nowhere else", () => {
  expect(nameFindings("localhost", [alive("127.0.0.1")])).toEqual([]);
  expect(nameFindings("203.0.113.5", [alive("203.0.113.5")])).toEqual([]);
});
