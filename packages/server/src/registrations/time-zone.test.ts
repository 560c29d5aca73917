import { describe, expect, test } from "vitest";
import { ianaZone } from "./time-zone.ts";

describe("ianaZone", () => {
  test("knows every zone that a browser may give, by the name that it gives", () => {
    const names = Intl.supportedValuesOf("timeZone");
    expect(names.length).toBeGreaterThan(400);
    expect(names.map(ianaZone)).toEqual(names);
  });

  test.for<[name: string, zone: string]>([
    ["UTC", "UTC"],
    ["Etc/GMT+12", "Etc/GMT+12"],
    // Names of before, which browsers still give.
    ["Asia/Calcutta", "Asia/Calcutta"],
    ["US/Eastern", "US/Eastern"],
    ["america/SAO_PAULO", "America/Sao_Paulo"],
  ])("%s is %s", ([name, zone]) => {
    expect(ianaZone(name)).toBe(zone);
  });

  test.for([
    "",
    "Z",
    "Mars/Olympus",
    "-23:59",
    "+00:00",
    "+0530",
    "-03",
    "T12Z",
    "T1200-0530",
    "2020-01-01T00:00Z",
    "2020-01-01T00:00[America/Sao_Paulo]",
    "America/Sao_Paulo ",
    "[America/Sao_Paulo]",
    "\u0000",
    "x".repeat(10_000),
  ])("%j is none", (name) => {
    expect(ianaZone(name)).toBeNull();
  });
});
