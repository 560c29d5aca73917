import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Finding } from "@sineta/protocol";
import { bell, goodPages, html, only, script, site, vapidKey, type Pages } from "./testing/site.ts";

const external = '<script type="module" src="/assets/a.js"></script>';
const header = (text: string) => ({ "Content-Security-Policy": text });
/** A page with that head, under that policy. */
const page = (policy: string, head = external): Pages => ({
  "/": { ...html(head), headers: header(policy) },
});
/** The worker's file under that policy. */
const worker = (policy: string): Pages => ({
  "/sineta-sw.js": { ...script('self.h = "Sineta-Client-Secret"'), headers: header(policy) },
});
const meta = (policy: string) => `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
const push = "https://avisos.example";

const code = "content-security-policy";

async function findings(pages: Pages): Promise<Finding[]> {
  const { check } = await site({ ...goodPages, ...pages });
  return only(await check(), code);
}

const ok = { code, state: "ok", reason: "found", seen: null };
const none = { code, state: "ok", reason: "none", seen: null };
const missing = (reason: string, seen: string) => ({ code, state: "missing", reason, seen });
const warning = (reason: string, seen: string) => ({ code, state: "warning", reason, seen });

test("a policy with room for all that the bell does", async () => {
  const strict =
    `default-src 'none'; script-src 'self'; worker-src 'self'; connect-src ${push}; ` +
    "require-trusted-types-for 'script'; trusted-types sineta; sandbox allow-scripts allow-same-origin";
  expect(
    await findings({
      ...page(strict),
      ...worker(`default-src 'none'; img-src 'self' ${push}; connect-src ${push}`),
    }),
  ).toEqual([ok]);
});

describe("Trusted Types", () => {
  const demand = "require-trusted-types-for 'script'";
  test.for<[policy: string, expected: object]>([
    [demand, ok],
    [`${demand}; trusted-types sineta`, ok],
    ["trusted-types site", ok],
    [
      `${demand}; trusted-types site`,
      missing("blocks-trusted-types", `${demand}; trusted-types site`),
    ],
    [
      `${demand}; trusted-types 'none'`,
      missing("blocks-trusted-types", `${demand}; trusted-types 'none'`),
    ],
    [
      `${demand}; trusted-types default`,
      warning("blocks-trusted-types", `${demand}; trusted-types default`),
    ],
  ])("%s", async ([policy, expected]) => {
    expect(await findings(page(policy))).toEqual([expected]);
  });

  test("the header demands them, and a meta element names the policies", async () => {
    expect(await findings(page(demand, meta("trusted-types site") + external))).toEqual([
      missing("blocks-trusted-types", `${demand}; trusted-types site`),
    ]);
  });
});

describe("sandbox", () => {
  test.for(["sandbox", "sandbox allow-scripts", "sandbox allow-same-origin"])(
    "of the page: %s",
    async (policy) => {
      expect(await findings(page(policy))).toEqual([missing("sandboxes-page", policy)]);
    },
  );

  test("of a meta element does nothing", async () => {
    expect(await findings({ "/": html(meta("sandbox; img-src 'self'") + external) })).toEqual([ok]);
  });

  test("of the worker's file", async () => {
    expect(await findings(worker("sandbox allow-scripts"))).toEqual([
      warning("sandboxes-worker", "sandbox allow-scripts"),
    ]);
    expect(await findings(worker("sandbox allow-same-origin"))).toEqual([ok]);
  });
});

describe("the policy of the worker's file", () => {
  test.for<[policy: string, expected: object[]]>([
    ["connect-src 'self'", [warning("blocks-worker-connection", "connect-src 'self'")]],
    ["img-src 'self'", [warning("blocks-worker-images", "img-src 'self'")]],
    [`img-src 'self' ${push}/images/`, [ok]],
    [`img-src ${push}`, [warning("blocks-worker-images", `img-src ${push}`)]],
    ["require-trusted-types-for 'script'; trusted-types 'none'; script-src 'none'", [ok]],
    [
      "default-src 'self'",
      [
        warning("blocks-worker-connection", "default-src 'self'"),
        warning("blocks-worker-images", "default-src 'self'"),
      ],
    ],
  ])("%s", async ([policy, expected]) => {
    expect(await findings(worker(policy))).toEqual(expected);
  });

  test("the page's policy does not govern the images of notifications", async () => {
    expect(await findings(page("img-src 'none'"))).toEqual([ok]);
  });
});

describe("a meta element", () => {
  const forbids = meta("worker-src 'none'");
  const blocked = [missing("blocks-worker", "worker-src 'none'")];

  test.for<[head: string, expected: object[]]>([
    [forbids, blocked],
    [`<title>Padaria</title><style>a{}</style></head>${forbids}`, blocked],
    [`<body>${forbids}`, [none]],
    [`<p>Oi</p>${forbids}`, [none]],
    [`<noscript>${forbids}</noscript>`, [none]],
    [`<template>${forbids}</template>`, [none]],
  ])("counts in the head alone: %s", async ([head, expected]) => {
    expect(await findings({ "/": html(head + external) })).toEqual(expected);
  });

  test.for(["&#39;", "&#x27;", "&apos;", "&#X27;"])("may write a quote as %s", async (quote) => {
    const policy = "default-src 'self'; connect-src https:".replaceAll("'", quote);
    expect(await findings({ "/": html(meta(policy) + external) })).toEqual([ok]);
  });

  test("holds for the scripts behind it alone", async () => {
    const policy = meta("script-src 'none'; worker-src 'self'");
    expect(await findings({ "/": html(external + policy) })).toEqual([ok]);
    expect(await findings({ "/": html(policy + external) })).toEqual([
      missing("blocks-script", "script-src 'none'"),
    ]);
  });
});

test("a worker of another origin is blamed for that alone", async () => {
  const config = { server: "", project: "default", vapidKey, allowLoopback: false };
  const text = JSON.stringify({ ...config, worker: "https://cdn.example/w.js" });
  const head = `<script type="application/json" id="sineta-config">${text}</script>`;
  expect(await findings(page("worker-src 'self'", head))).toEqual([ok]);
});

describe("the script with the bell", () => {
  const inline = `import "/assets/a.js";\r\n`;
  const hash = (text: string) => createHash("sha384").update(text).digest("base64");
  const inlineHash = hash(inline.replace("\r\n", "\n"));
  const starter = (attributes = "") => `<script type="module"${attributes}>${inline}</script>`;
  const withNonce = external.replace("src", 'nonce="Abc" src');
  const withHash = external.replace("src", `integrity="sha384-${hash("a")}?x" src`);
  const withHashes = external.replace("src", `integrity="sha384-x sha384-${hash("a")}" src`);
  const preload = '<link rel="modulepreload" href="/assets/a.js">';
  // A policy for workers, so that the script's does not decide there.
  const scripts = (policy: string) => `worker-src 'self'; ${policy}`;

  test.for<[policy: string, head: string]>([
    ["script-src 'self'", external],
    ["script-src https://cdn.example; script-src-elem 'self'", external],
    ["script-src 'nonce-Abc'", withNonce],
    ["script-src 'nonce-Abc' 'strict-dynamic'", withNonce],
    [`script-src 'sha384-${hash("a")}'`, withHash],
    ["script-src 'self' 'unsafe-inline'", starter()],
    [`script-src 'self' 'sha384-${inlineHash}'`, starter()],
    ["script-src 'nonce-Abc'", starter(' nonce="Abc"')],
    ["script-src 'NONCE-Abc'", withNonce],
    [`script-src 'SHA384-${hash("a").replaceAll("+", "-").replaceAll("/", "_")}'`, withHash],
    ["script-src 'self' 'unsafe-inline' 'nonce-{{nonce}}' 'sha256-***'", starter()],
    ["script-src 'nonce-a+b='", external.replace("src", 'nonce="a&#43;b&#x3d;" src')],
    ["script-src 'nonce-Abc'", preload],
    ["script-src 'self'", preload],
    ["script-src 'nonce-Abc'", external + withNonce],
    ["script-src 'nonce-Abc'", withNonce + external],
    ["script-src 'nonce-Abc'", withNonce + withNonce.replace("Abc", "other")],
    [`script-src 'strict-dynamic' 'sha384-${inlineHash}'`, starter()],
    ["script-src 'self'", `<script type="application/json">${bell.body}</script>${external}`],
    ["script-src 'self'", `<script type="text/javascript" src="/assets/a.js"></script>`],
  ])("runs under %s (case %#)", async ([policy, head]) => {
    expect(await findings(page(scripts(policy), head))).toEqual([ok]);
  });

  test.for<[policy: string, head: string, blamed?: string]>([
    ["script-src 'none'", external],
    ["default-src https://cdn.example; connect-src *", external, "default-src https://cdn.example"],
    [
      "script-src 'self'; script-src-elem https://cdn.example",
      external,
      "script-src-elem https://cdn.example",
    ],
    ["script-src 'nonce-abc'", withNonce],
    ["script-src 'self' 'nonce-Abc' 'strict-dynamic'", external],
    [`script-src 'sha384-${hash("b")}'`, withHash],
    ["script-src 'self'", starter()],
    ["script-src 'self' 'unsafe-inline' 'nonce-Abc'", starter()],
    [`script-src 'self' 'sha384-${hash("b")}'`, starter()],
    [`script-src 'sha384-${hash("a")}'`, withHashes],
    [`script-src 'sha384-${inlineHash}'`, starter()],
    ["script-src https://site.example:1/ 'nonce-Abc'", starter(' nonce="other"')],
    ["script-src 'self' 'nonce-Abc'", starter(' nonce="other"')],
    ["script-src 'nonce-{{nonce}}'", external.replace("src", 'nonce="{{nonce}}" src')],
    ["script-src 'nonce-'", external.replace("src", 'nonce="" src')],
    ["script-src 'nonce-Abc'", external + preload],
    ["script-src 'nonce-Abc'", preload + external],
    ["script-src 'unsafe-inline'", starter()],
    ["script-src 'self' 'unsafe-inline' 'strict-dynamic'", starter()],
    ["script-src https://cdn.example", preload],
  ])("does not run under %s (case %#)", async ([policy, head, blamed = policy]) => {
    expect(await findings(page(scripts(policy), head))).toEqual([missing("blocks-script", blamed)]);
  });

  test("is checked if it stands in the page", async () => {
    const head = `<script>${bell.body}</script>`;
    expect(await findings(page(scripts("script-src 'self'"), head))).toEqual([
      missing("blocks-script", "script-src 'self'"),
    ]);
  });

  test("is not checked if the page has none", async () => {
    expect(await findings(page(scripts("script-src 'none'"), ""))).toEqual([ok]);
  });
});

describe("a page that is made to keep the server busy", () => {
  const long = `${bell.body}${" ".repeat(400_000)}`;
  // Within the megabyte that the check reads. With a digest for each source or policy, both take minutes.
  test.for<[what: string, policy: string]>([
    ["many hashes and a long script", `script-src ${"'sha512-AAAA' ".repeat(40_000)}`],
    [
      "many policies and a long script",
      `${"script-src 'unsafe-inline',".repeat(18_000)}script-src 'none'`,
    ],
  ])("%s", { timeout: 10_000 }, async ([_what, policy]) => {
    const head = `${meta(policy)}<script>${long}</script>`;
    expect(await findings({ "/": html(head) })).toMatchObject([
      { reason: "blocks-script" },
      { reason: "blocks-worker" },
    ]);
  });
});
