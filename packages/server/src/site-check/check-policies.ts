import type { IncomingHttpHeaders } from "node:http";
import type { Finding, FindingReason } from "@sineta/protocol";
import {
  obstacleOf,
  type Policy,
  readPolicies,
  sandboxObstacle,
  trustedTypesObstacle,
  trustedTypesPolicyName,
} from "@sineta/protocol/content-security-policy";
import { imagesPath } from "../images/images.ts";
import { finding, type Look } from "./finding.ts";
import type { Script } from "./read-scripts.ts";
import type { Tag } from "./read-tags.ts";
import { scriptObstacle } from "./script-policy.ts";

/** The page's `default` policy may convert the worker's address instead (Trusted Types, "default policy"). */
const defaultPolicyName = "default";

const code = "content-security-policy";

type Parts = {
  /** The one with the bell; undefined if none was found. */
  script: Script | undefined;
  /** Null if it is none of the page's own origin. */
  workerUrl: URL | null;
  /** Of the worker's file; undefined if there is none. */
  workerHeaders: IncomingHttpHeaders | undefined;
  registrationsUrl: URL;
};

/** Lists what the policies of the page and of the worker's file forbid the bell. */
export function checkPolicies(look: Look, parts: Parts): Finding[] {
  const headers = headersOf(look.page.headers);
  const ofPage = readPolicies(headers, metasOf(look.tags));
  const ofWorker = readPolicies(headersOf(parts.workerHeaders ?? {}));
  if (ofPage.length === 0 && ofWorker.length === 0) return [finding(code, "ok", "none")];
  const findings = [
    ...checkScript(headers, look, parts),
    ...checkPagePolicies(ofPage, look, parts),
    ...checkWorkerPolicies(ofWorker, parts),
  ];
  return findings.length === 0 ? [finding(code, "ok", "found")] : findings;
}

/** What may stand in a head. Whatever else a page has begins its body (HTML standard, 'The "in head" insertion mode'). */
const headTags: ReadonlySet<string> = new Set(
  "base head html link meta noframes noscript script style template title".split(" "),
);

/** The policies of meta elements. Browsers read those of the head alone. */
function metasOf(tags: readonly Tag[]): string[] {
  const end = tags.findIndex(({ name }) => !headTags.has(name));
  const inHead = end === -1 ? tags : tags.slice(0, end);
  return inHead.flatMap(({ name, attributes }) =>
    name === "meta" && /^content-security-policy$/i.test(attributes.get("http-equiv") ?? "")
      ? [attributes.get("content") ?? ""]
      : [],
  );
}

/** A meta element holds for the tags behind it. */
function checkScript(headers: readonly string[], look: Look, { script }: Parts): Finding[] {
  if (script === undefined) return [];
  const before = look.tags.slice(0, look.tags.indexOf(script.tag));
  const policies = readPolicies(headers, metasOf(before));
  return findingIf("blocks-script", scriptObstacle(policies, script, look));
}

function headersOf({ "content-security-policy": header }: IncomingHttpHeaders): string[] {
  return header === undefined ? [] : [header].flat();
}

function checkPagePolicies(policies: readonly Policy[], look: Look, parts: Parts): Finding[] {
  const { workerUrl, registrationsUrl } = parts;
  const page = look.page.url;
  const trustedTypes = trustedTypesObstacle(policies, trustedTypesPolicyName);
  const mayTakeIt = trustedTypesObstacle(policies, defaultPolicyName) === null;
  return [
    ...findingIf(
      "sandboxes-page",
      sandboxObstacle(policies, ["allow-scripts", "allow-same-origin"]),
    ),
    ...findingIf(
      "blocks-worker",
      workerUrl && obstacleOf(policies, "worker", { url: workerUrl, page }),
    ),
    ...findingIf("blocks-trusted-types", trustedTypes, mayTakeIt ? "warning" : "missing"),
    ...findingIf(
      "blocks-connection",
      obstacleOf(policies, "connection", { url: registrationsUrl, page }),
    ),
  ];
}

/**
 * The browser judges the worker's requests, and the images of its notifications, by the policy that comes with the worker's
 * file (HTML standard, "initialize a worker global scope's policy container"). A push arrives whatever it says.
 */
function checkWorkerPolicies(
  policies: readonly Policy[],
  { workerUrl, registrationsUrl }: Parts,
): Finding[] {
  if (workerUrl === null) return [];
  const page = workerUrl;
  const connection = obstacleOf(policies, "connection", { url: registrationsUrl, page });
  // A message may name an image anywhere. The check tries the site's origin, and where the server keeps what was uploaded.
  const images = [new URL("/", page), new URL(`${imagesPath}/`, registrationsUrl)]
    .map((url) => obstacleOf(policies, "image", { url, page }))
    .find((obstacle) => obstacle !== null);
  return [
    ...findingIf("sandboxes-worker", sandboxObstacle(policies, ["allow-same-origin"]), "warning"),
    ...findingIf("blocks-worker-connection", connection, "warning"),
    ...findingIf("blocks-worker-images", images ?? null, "warning"),
  ];
}

function findingIf(
  reason: FindingReason,
  seen: string | null,
  state: "warning" | "missing" = "missing",
): Finding[] {
  return seen === null ? [] : [finding(code, state, reason, seen)];
}
