import { describe, expect, test } from "vitest";
import {
  obstacleOf,
  readPolicies,
  sandboxObstacle,
  trustedTypesObstacle,
} from "./content-security-policy.ts";

const page = new URL("https://site.example/pt/");
const worker = new URL("https://site.example/sineta-sw.js");
const server = new URL("https://avisos.example:8443/v1/x");

describe("what a policy keeps from a page", () => {
  test.for<[policy: string, worker: string | null, connection: string | null]>([
    ["", null, null],
    ["img-src 'none'", null, null],
    ["default-src 'none'", "default-src 'none'", "default-src 'none'"],
    ["default-src 'self'", null, "default-src 'self'"],
    ["default-src *; connect-src", null, "connect-src"],
    ["default-src 'none'; worker-src 'self'; connect-src *", null, null],
    ["script-src 'nonce-abc'", "script-src 'nonce-abc'", null],
    ["script-src 'nonce-abc' 'strict-dynamic'", null, null],
    ["default-src 'nonce-abc' 'strict-dynamic'", null, "default-src 'nonce-abc' 'strict-dynamic'"],
    ["script-src 'self'; child-src 'none'", "child-src 'none'", null],
    ["connect-src https://avisos.example", null, "connect-src https://avisos.example"],
    ["connect-src https://avisos.example:8443", null, null],
    ["connect-src https://avisos.example:*/v1/", null, null],
    ["connect-src https://avisos.example:*/v2/", null, "connect-src https://avisos.example:*/v2/"],
    ["connect-src https://avisos.example:*/v1/?x#y", null, null],
    ["connect-src https://avisos.example:*/%761/", null, null],
    ["connect-src https://avisos.example:*/%", null, "connect-src https://avisos.example:*/%"],
    ["worker-src https://site.example/sineta-sw.js?v=2", null, null],
    ["worker-src http://site.example:80", null, null],
    ["worker-src http://site.example", null, null],
    ["worker-src https://site.example:443", null, null],
    ["worker-src https://site.example:8443", "worker-src https://site.example:8443", null],
    ["connect-src http://avisos.example:80", null, "connect-src http://avisos.example:80"],
    ["connect-src avisos.example:8443", null, null],
    ["connect-src *.example:8443", null, null],
    ["connect-src *.avisos.example:8443", null, "connect-src *.avisos.example:8443"],
    ["connect-src https:", null, null],
    ["connect-src http:", null, null],
    ["connect-src wss:", null, "connect-src wss:"],
    ["CONNECT-SRC HTTPS://AVISOS.EXAMPLE:8443", null, null],
    ["connect-src 'self'; connect-src *", null, "connect-src 'self'"],
    ["connect-src *, connect-src 'self'", null, "connect-src 'self'"],
  ])("%s", ([text, worker_, connection]) => {
    const policies = readPolicies([text]);
    expect(obstacleOf(policies, "worker", { url: worker, page })).toBe(worker_);
    expect(obstacleOf(policies, "connection", { url: server, page })).toBe(connection);
  });
});

describe("what a policy keeps from notifications", () => {
  test.for<[policy: string, image: string | null]>([
    ["connect-src 'none'", null],
    ["img-src 'none'", "img-src 'none'"],
    ["default-src 'self'", "default-src 'self'"],
    ["default-src 'none'; img-src https:", null],
  ])("%s", ([text, image]) => {
    expect(obstacleOf(readPolicies([text]), "image", { url: server, page })).toBe(image);
  });
});

describe("whether Trusted Types leave room for the policy sineta", () => {
  const demand = "require-trusted-types-for 'script'";
  test.for<[policy: string, obstacle: string | null]>([
    [demand, null],
    ["trusted-types site", null],
    ["trusted-types", null],
    [`${demand}; trusted-types sineta`, null],
    [`${demand}; trusted-types site sineta 'allow-duplicates'`, null],
    [`${demand}; trusted-types *`, null],
    [`${demand}; trusted-types site`, `${demand}; trusted-types site`],
    [`${demand}; trusted-types Sineta`, `${demand}; trusted-types Sineta`],
    [`${demand}; trusted-types`, `${demand}; trusted-types`],
    [`trusted-types 'none', ${demand}`, `${demand}; trusted-types 'none'`],
    ["Require-Trusted-Types-For 'script'; trusted-types a", `${demand}; trusted-types a`],
    ["require-trusted-types-for 'SCRIPT'; trusted-types a", null],
    ["require-trusted-types-for; trusted-types a", null],
    [`${demand}; trusted-types sineta, trusted-types site`, `${demand}; trusted-types site`],
  ])("%s", ([text, obstacle]) => {
    expect(trustedTypesObstacle(readPolicies([text]), "sineta")).toBe(obstacle);
  });
});

describe("what a sandboxed page lacks", () => {
  const needed = ["allow-scripts", "allow-same-origin"];
  test.for<[policy: string, obstacle: string | null]>([
    ["default-src 'self'", null],
    ["sandbox", "sandbox"],
    ["sandbox allow-scripts", "sandbox allow-scripts"],
    ["sandbox Allow-Same-Origin allow-scripts", null],
    ["sandbox allow-scripts allow-same-origin, sandbox", "sandbox"],
  ])("%s", ([text, obstacle]) => {
    expect(sandboxObstacle(readPolicies([text]), needed)).toBe(obstacle);
  });

  test("a meta element sandboxes no page, and its other directives count", () => {
    const policies = readPolicies([], ["sandbox; worker-src 'none'"]);
    expect(sandboxObstacle(policies, needed)).toBe(null);
    expect(obstacleOf(policies, "worker", { url: worker, page })).toBe("worker-src 'none'");
  });
});
