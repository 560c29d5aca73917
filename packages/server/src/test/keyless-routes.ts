/** What requests that need no key leave behind. SECURITY.md shows it as a table, and http/keyless-routes.test.ts measures it. */
import { limits } from "@sineta/protocol";
import { openChallenges } from "../access/passkeys/passkeys.ts";
import { auditedFailures } from "../access/sessions/log-in-audit.ts";
import { keysKept } from "../access/sessions/log-in-throttle.ts";
import { addressesKept } from "../http/rate-limit.ts";

type Left = {
  /** Of one request, at most. */
  bytes: number;
  /** What all requests leave together, whoever asks. */
  all: string;
};

type LeftBehind = { routes: readonly string[]; disk: Left; memory: Left };

/** Whatever needs a key or a session, asked without one; pages and files; preflights. */
export const everythingElse = "everything else, without a key";

/** Live registrations that a project may have until an owner changes it (migrations/0004). */
export const firstQuota = 2_000_000;

const project = "/v1/projects/:project";
const count = (number: number) => number.toLocaleString("en");
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

const nothing: Left = { bytes: 0, all: "nothing" };
/** Of the limits per address. */
const address = 300;
const counted: Left = {
  bytes: address,
  all: `${count(addressesKept)} addresses: ${megabytes(addressesKept * address)}`,
};
const auditLine = 600;
const auditDays = 365;
const refused: Left = {
  bytes: auditLine,
  all:
    `${count(auditedFailures.inAllPerDay)} lines of the audit a day, for \`SINETA_KEEP_AUDIT_DAYS\`: ` +
    `${gigabytes(auditedFailures.inAllPerDay * auditDays * auditLine)} in ${auditDays} days`,
};
const withTopics = 8_000;
const withoutTopics = 5_000;
const ended = 1_300;
const question = 200;
const logIn = 700;

export const leftBehind: readonly LeftBehind[] = [
  {
    routes: [`POST ${project}/registrations`],
    disk: {
      bytes: withTopics,
      all:
        `as many live registrations as the quota, and as many that have ended; for ${count(firstQuota)} ` +
        `${gigabytes(firstQuota * withoutTopics)} and ${gigabytes(firstQuota * ended)}, without their topics`,
    },
    memory: counted,
  },
  {
    routes: [`POST ${project}/registrations/:token/look`],
    disk: { bytes: 0, all: "a new time in the place of an old one" },
    memory: counted,
  },
  {
    routes: [
      `DELETE ${project}/registrations/:token`,
      `POST ${project}/registrations/:token/forget`,
      `DELETE ${project}/registrations/:token/topics/:topic`,
    ],
    disk: { bytes: 0, all: "less than there was" },
    memory: counted,
  },
  {
    routes: [`PUT ${project}/registrations/:token/topics/:topic`],
    disk: {
      bytes: 50,
      all: `each registration once in each open topic that operators have made (${count(limits.topicsPerProject)} at most)`,
    },
    memory: counted,
  },
  {
    routes: [`POST ${project}/receipts`],
    disk: {
      bytes: 300,
      all: "three for each push that was accepted, for `SINETA_KEEP_RECEIPTS_DAYS`",
    },
    memory: counted,
  },
  {
    routes: ["POST /v1/session"],
    disk: refused,
    memory: {
      bytes: logIn,
      all: `${counted.all}, and ${count(keysKept)} keys of each of six kinds: ${megabytes(6 * keysKept * address)}`,
    },
  },
  {
    routes: ["POST /v1/passkey-login/options"],
    disk: {
      bytes: question,
      all: `${count(openChallenges)} questions, for 5 minutes: ${megabytes(openChallenges * question)}`,
    },
    memory: counted,
  },
  { routes: ["POST /v1/passkey-login"], disk: refused, memory: counted },
  {
    routes: ["POST /v1/invitations/look", "POST /v1/invitations/accept"],
    disk: { bytes: 0, all: "nothing without a link that is still good" },
    memory: counted,
  },
  {
    routes: [
      "GET /healthz",
      "GET /readyz",
      "GET /v1/openapi.json",
      `GET ${project}/config`,
      "GET /images/:file",
      everythingElse,
    ],
    disk: nothing,
    memory: nothing,
  },
];

/** The rows of SECURITY.md's table, with its head. */
export function asTable(): string[][] {
  const ofOne = ({ bytes }: Left) => (bytes === 0 ? "0" : `${count(bytes)} B`);
  const named = (route: string) =>
    route === everythingElse ? route : `\`${route.replace(project, "…")}\``;
  return [
    [
      "Route",
      "Disk, one request",
      "Disk, all of them",
      "Memory, one request",
      "Memory, all of them",
    ],
    ...leftBehind.map(({ routes, disk, memory }) => [
      routes.map(named).join("<br>"),
      ofOne(disk),
      disk.all,
      ofOne(memory),
      memory.all,
    ]),
  ];
}
