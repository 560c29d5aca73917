import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import {
  limits,
  passwordAgainSchema,
  recoveryCodesSchema,
  totpConfirmationSchema,
  totpOfferSchema,
  totpRemovalSchema,
} from "@sineta/protocol";
import type { OperatorAccess } from "../access/operators/create-access.ts";
import { operatorOf } from "./credentials.ts";
import { jsonBody } from "./json-body.ts";
import { answer, ownBodyProblems, problem, securityOf } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { demandPassword, withAttempt } from "./password-again.ts";
import { HttpProblem } from "./problem.ts";

const totpPath = "/v1/session/totp";
const problems = {
  ...ownBodyProblems,
  429: problem("`too-many-attempts`, with Retry-After"),
  503: problem("`passwords-busy`"),
};

const offerRoute = createRoute({
  method: "post",
  path: totpPath,
  summary: "A secret for an authenticator application; log-in does not ask for it yet",
  security: securityOf(`POST ${totpPath}`),
  middleware: jsonBody(limits.registrationBodyBytes, passwordAgainSchema),
  request: {
    body: { required: true, content: { "application/json": { schema: passwordAgainSchema } } },
  },
  responses: {
    200: answer(
      "It is shown this once, and takes the place of one not confirmed.",
      totpOfferSchema,
    ),
    ...problems,
    403: problem("`cross-site-refused`, `password-wrong`"),
    409: problem("`second-factor-present`"),
  },
});

const confirmRoute = createRoute({
  method: "post",
  path: `${totpPath}/confirm`,
  summary:
    "Show that the application has the secret; from now on log-in asks for codes, and all other sessions end",
  security: securityOf(`POST ${totpPath}/confirm`),
  middleware: jsonBody(limits.registrationBodyBytes, totpConfirmationSchema),
  request: {
    body: { required: true, content: { "application/json": { schema: totpConfirmationSchema } } },
  },
  responses: {
    200: answer(
      "For the day on which the application is lost: shown this once.",
      recoveryCodesSchema,
    ),
    ...problems,
    403: problem("`cross-site-refused`, `code-wrong`"),
    409: problem("`second-factor-absent`"),
  },
});

const removeRoute = createRoute({
  method: "delete",
  path: totpPath,
  summary:
    "Remove the second factor; takes a code, or a recovery code, and ends all other sessions",
  security: securityOf(`DELETE ${totpPath}`),
  middleware: jsonBody(limits.registrationBodyBytes, totpRemovalSchema),
  request: {
    body: { required: true, content: { "application/json": { schema: totpRemovalSchema } } },
  },
  responses: {
    204: { description: "The password is enough from now on." },
    ...problems,
    403: problem("`cross-site-refused`, `password-wrong`, `code-wrong`"),
    409: problem("`second-factor-absent`"),
  },
});

const codesRoute = createRoute({
  method: "post",
  path: "/v1/session/recovery-codes",
  summary: "New recovery codes, in place of those there are; ends all other sessions",
  security: securityOf("POST /v1/session/recovery-codes"),
  middleware: jsonBody(limits.registrationBodyBytes, passwordAgainSchema),
  request: {
    body: { required: true, content: { "application/json": { schema: passwordAgainSchema } } },
  },
  responses: {
    200: answer("Shown this once.", recoveryCodesSchema),
    ...problems,
    403: problem("`cross-site-refused`, `password-wrong`"),
    409: problem("`second-factor-absent`"),
  },
});

/** Routes of whoever is logged in, for the own second factor. */
export function addSecondFactorRoutes(
  app: OpenAPIHono<ProjectEnv>,
  access: Pick<OperatorAccess, "logIn" | "operators" | "secondFactors">,
): void {
  const { secondFactors } = access;

  app.openapi(offerRoute, async (context) => {
    const { password } = context.req.valid("json");
    await withAttempt(context, access, () => demandPassword(context, access, password));
    const offer = await secondFactors.offer(operatorOf(context));
    if (offer === null) throw new HttpProblem("second-factor-present");
    return context.json(offer, 200);
  });

  app.openapi(confirmRoute, async (context) => {
    const self = operatorOf(context);
    const { code } = context.req.valid("json");
    const codes = await withAttempt(context, access, async () => {
      const result = await secondFactors.confirm(self, code, context.get("asker"));
      if (typeof result === "string") throw new HttpProblem(result);
      return result;
    });
    return context.json(codes, 200);
  });

  app.openapi(removeRoute, async (context) => {
    const self = operatorOf(context);
    const { password, code } = context.req.valid("json");
    await withAttempt(context, access, async () => {
      await demandPassword(context, access, password);
      const result = await secondFactors.remove(self, code, context.get("asker"));
      if (result !== "removed") throw new HttpProblem(result);
    });
    return context.body(null, 204);
  });

  app.openapi(codesRoute, async (context) => {
    const { password } = context.req.valid("json");
    await withAttempt(context, access, () => demandPassword(context, access, password));
    const self = operatorOf(context);
    const recoveryCodes = await secondFactors.replaceRecoveryCodes(self, context.get("asker"));
    if (recoveryCodes === null) throw new HttpProblem("second-factor-absent");
    return context.json({ recoveryCodes }, 200);
  });
}
