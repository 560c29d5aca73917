import { expect, test } from "vitest";
import { browserOf } from "./browser-of.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";

test.for([
  [`${windows} Chrome/141.0.0.0 Safari/537.36`, "chrome", "windows"],
  [`${windows} HeadlessChrome/141.0.0.0 Safari/537.36`, "chrome", "windows"],
  [`${windows} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, "edge", "windows"],
  [`${windows} Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0`, "opera", "windows"],
  [`${windows} Chrome/141.0.0.0 Safari/537.36 Vivaldi/7.1`, "other", "windows"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "firefox", "linux"],
  ["Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "firefox", "android"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15",
    "safari",
    "macos",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1",
    "safari",
    "ios",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
    "samsung",
    "android",
  ],
  [
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
    "chrome",
    "chromeos",
  ],
  ["curl/8.5.0", "other", "other"],
  ["x".repeat(16_000), "other", "other"],
  ["\u0000<script>", "other", "other"],
  ["   ", "unknown", "unknown"],
  ["", "unknown", "unknown"],
  [undefined, "unknown", "unknown"],
] as const)("%s is %s on %s", ([userAgent, browser, system]) => {
  expect(browserOf(userAgent)).toEqual({ browser, system });
});

test("what was read once is the same again, whatever came between", () => {
  const header = `${windows} Chrome/141.0.0.0 Safari/537.36`;
  const first = browserOf(header);
  for (let version = 0; version < 2_000; version += 1) {
    expect(
      browserOf(`Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Firefox/${version}.0`),
    ).toEqual({
      browser: "firefox",
      system: "linux",
    });
  }
  expect(browserOf(header)).toEqual(first);
});
