import { expect, test } from "vitest";
import type { Finding, FindingCode, FindingReason } from "@sineta/protocol";
import type { CheckSite } from "../site-check/check-site.ts";
import { checkOrigins } from "./check-origins.ts";

const site = "https://padaria.example";

const found = (
  code: FindingCode,
  state: Finding["state"],
  reason: FindingReason,
  seen: string | null = null,
): Finding => ({ code, state, reason, seen });

const check = (...findings: Finding[]) => {
  const checkSite: CheckSite = async (url) => ({ url: url.href, findings });
  return checkOrigins({ origins: [site], vapidKeys: [], checkSite });
};

test("a page that lacks nothing is good, also with a warning", async () => {
  expect(
    await check(found("https", "ok", "found"), found("icons", "warning", "not-found")),
  ).toMatchObject([{ code: "origin-good", state: "ok", subject: site }]);
});

test("tells what a page lacks", async () => {
  expect(
    await check(
      found("page-reachable", "ok", "found"),
      found("bell-found", "missing", "not-found"),
      found("worker-reachable", "missing", "status", "404"),
    ),
  ).toMatchObject([
    {
      code: "origin-lacks",
      state: "to-do",
      subject: site,
      seen: "bell-found (not-found), worker-reachable (status)",
    },
  ]);
});

test("tells a page that is not there", async () => {
  const silent = found("page-reachable", "missing", "name-not-resolved", "ENOTFOUND");
  expect(await check(found("https", "ok", "found"), silent)).toMatchObject([
    { code: "origin-silent", state: "to-do", subject: site, seen: "ENOTFOUND" },
  ]);
  expect(await check(found("page-reachable", "missing", "timed-out"))).toMatchObject([
    { code: "origin-silent", seen: "timed-out" },
  ]);
});

test("says where the site check does not go, and not that the page is gone", async () => {
  const local = [{ code: "origin-local", state: "unknown", subject: site }];
  const unseen = (code: FindingCode) => found(code, "unknown", "address-not-allowed");
  expect(await check(unseen("page-reachable"))).toMatchObject(local);
  // The name led to a public address a moment before.
  const page = found("page-reachable", "ok", "found");
  expect(await check(page, unseen("worker-reachable"))).toMatchObject(local);
  expect(await check(page, unseen("manifest"))).toMatchObject([{ code: "origin-good" }]);
});

test("looks at twenty origins, and says how many more there are", async () => {
  const checkSite: CheckSite = async (url) => ({ url: url.href, findings: [] });
  const origins = Array.from({ length: 23 }, (_, index) => `https://${index}.example`);
  const all = await checkOrigins({ origins, vapidKeys: [], checkSite });
  expect(all.slice(0, 20).map(({ subject }) => subject)).toEqual(origins.slice(0, 20));
  expect(all.slice(20)).toMatchObject([{ code: "origins-more", state: "unknown", seen: "3" }]);
});

test("without other origins only the own pages may register", async () => {
  const checkSite: CheckSite = async () => Promise.reject(new Error("asked"));
  expect(await checkOrigins({ origins: [], vapidKeys: [], checkSite })).toMatchObject([
    { code: "origins-own", state: "ok" },
  ]);
});
