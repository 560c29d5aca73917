import { IncomingMessage } from "node:http";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import {
  doctorEchoSchema,
  doctorSchema,
  limits,
  type DoctorEcho,
  type DoctorFinding,
} from "@sineta/protocol";
import packageJson from "../../package.json" with { type: "json" };
import { addressesIn, bareAddress } from "./client-address.ts";
import { fewAtOnce } from "./few-at-once.ts";
import { readBody } from "./json-body.ts";
import { answer, memberProblems, problem, projectParameter, securityOf } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";

const entry = "/v1/projects/:project/doctor";

/** An examination makes some dozens of requests. */
const examinationsAtOnce = {
  perCaller: { atOnce: 1, waiting: 0 },
  inAll: { atOnce: 1, waiting: 4 },
};

const examineRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/doctor",
  summary:
    "Look at the server as `sineta doctor` does: settings, address, certificate, push services",
  security: securityOf(`POST ${entry}`),
  middleware: fewAtOnce(examinationsAtOnce),
  request: { params: projectParameter },
  responses: {
    200: answer("What was found.", doctorSchema),
    ...memberProblems,
    404: problem("`project-unknown`"),
    429: problem("`too-many-at-once`, with Retry-After"),
  },
});

const echoRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/doctor/echo",
  summary:
    "What of a request arrives: for `sineta doctor`, which has a token that the project's secret makes",
  security: securityOf(`POST ${entry}/echo`),
  request: { params: projectParameter },
  responses: {
    200: answer("What has arrived.", doctorEchoSchema),
    400: problem("`body-invalid`"),
    404: problem("`project-unknown`, `route-unknown`"),
    413: problem("`body-too-large`"),
    415: problem("`content-encoding-unsupported`, with Accept-Encoding"),
  },
});

export type DoctorRouteParts = {
  examine: () => Promise<DoctorFinding[]>;
  now: () => number;
};

export function addDoctorRoutes(
  app: OpenAPIHono<ProjectEnv>,
  {
    examine,
    trustedProxies,
  }: Pick<DoctorRouteParts, "examine"> & { trustedProxies: readonly string[] },
): void {
  const isTrusted = addressesIn(trustedProxies);

  app.openapi(examineRoute, async (context) => context.json({ findings: await examine() }, 200));

  app.openapi(echoRoute, async (context) => {
    const body = await readBody(context, limits.imageBytes, "body-invalid");
    const incoming: unknown = Object(context.env)["incoming"];
    const { remoteAddress = "" } = incoming instanceof IncomingMessage ? incoming.socket : {};
    const peer = bareAddress(remoteAddress);
    const echo: DoctorEcho = {
      version: packageJson.version,
      peer,
      isTrusted: isTrusted(peer),
      host: context.req.header("Host") ?? "",
      address: context.get("address"),
      forwardedFor: context.req.header("X-Forwarded-For") ?? null,
      headers: [...context.req.raw.headers.keys()],
      bodyBytes: body.length,
    };
    return context.json(echo, 200);
  });
}
