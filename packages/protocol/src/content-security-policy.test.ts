import { describe, expect, test } from "vitest";
import { obstacleOf, readPolicies } from "./content-security-policy.ts";

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
    ["script-src 'self'; child-src 'none'", "child-src 'none'", null],
    ["connect-src https://avisos.example", null, "connect-src https://avisos.example"],
    ["connect-src https://avisos.example:8443", null, null],
    ["connect-src https://avisos.example:*/v1/", null, null],
    ["connect-src https://avisos.example:*/v2/", null, "connect-src https://avisos.example:*/v2/"],
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
