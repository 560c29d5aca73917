import { z } from "zod";
import { limits } from "./limits.ts";

/** What is looked at, in this order; a code may come more than once. */
export const findingCodes = [
  "https",
  "page-reachable",
  "bell-found",
  "vapid-key",
  "worker-reachable",
  "content-security-policy",
  "mixed-content",
  "manifest",
  "icons",
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** Why a finding is what it is. */
export const findingReasons = [
  /** It is there, and as it has to be. */
  "found",
  /** Http, but on this machine, which the server was told to count as secure. */
  "loopback",
  "insecure",
  "certificate-invalid",
  "not-found",
  /** Nothing forbids anything. */
  "none",
  /** Another status than 200. */
  "status",
  "redirected",
  "redirected-elsewhere",
  "too-many-redirects",
  "timed-out",
  /** Only its beginning was read. */
  "too-large",
  /** Compressed in a way that was not asked for. */
  "encoded",
  "address-not-allowed",
  "name-not-resolved",
  "connection-failed",
  "content-type-wrong",
  /** On another origin, or beyond what is looked at. */
  "not-looked-at",
  "other-key",
  /** It is there, but nothing of Sineta is in it. */
  "not-sineta",
  /** The page's policy (Content-Security-Policy) keeps the browser from running the script with the bell. */
  "blocks-script",
  "blocks-worker",
  "blocks-connection",
  /** The page's policy demands Trusted Types, and allows no policy named `sineta`. */
  "blocks-trusted-types",
  "sandboxes-page",
  /** The policy of the worker's file forbids requests to the server, so the server gets no receipts. */
  "blocks-worker-connection",
  "blocks-worker-images",
  "sandboxes-worker",
  "malformed",
] as const;
export type FindingReason = (typeof findingReasons)[number];

const findingSchema = z.object({
  code: z.enum(findingCodes).describe("What was looked at."),
  state: z
    .enum(["ok", "warning", "missing", "unknown"])
    .describe(
      "`missing`: push cannot work so. `warning`: it may, but look at it. `unknown`: the server does not look there, because the address is not public.",
    ),
  reason: z.enum(findingReasons).describe("Why it is so."),
  seen: z.string().nullable().describe("What was seen: a status, an address, a directive."),
});
export type Finding = z.infer<typeof findingSchema>;

/** Body of `POST /v1/projects/{project}/site-checks`. */
export const siteCheckRequestSchema = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(limits.linkCharacters)
      .describe("A page of one of the project's origins."),
  })
  .meta({ id: "SiteCheckRequest" });

/** Its answer. */
export const siteCheckSchema = z
  .object({
    url: z.url().describe("The page that was looked at, behind redirects within its origin."),
    findings: z
      .array(findingSchema)
      .describe("What was found, in the order in which it was looked at."),
  })
  .meta({ id: "SiteCheck" });
export type SiteCheck = z.infer<typeof siteCheckSchema>;
