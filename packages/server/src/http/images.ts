import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import {
  imageListSchema,
  imageSchema,
  imageTypes,
  imageUsesSchema,
  limits,
} from "@sineta/protocol";
import { imagesPath, type Images } from "../images/images.ts";
import { readBody } from "./json-body.ts";
import {
  answer,
  limitedProblems,
  problem,
  projectParameter,
  securityOf,
  sessionProblems,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/images";
const entry = "/v1/projects/:project/images";
const imageParameters = projectParameter.extend({
  hash: z.string().describe("SHA-256 of the picture's bytes, base64url."),
});

const imageContent = Object.fromEntries(
  Object.values(imageTypes).map((type) => [
    type,
    { schema: z.string().meta({ format: "binary" }) },
  ]),
);

/** For each address and project. */
export const imageUploadsPerMinute = 120;

const addRoute = createRoute({
  method: "post",
  path,
  summary: "Keep a picture for notifications: the body is the file",
  security: securityOf(`POST ${entry}`),
  request: { params: projectParameter, body: { required: true, content: imageContent } },
  responses: {
    201: answer("It is kept; it may have been before.", imageSchema),
    ...sessionProblems,
    400: problem("`image-unreadable`"),
    404: problem("`project-unknown`"),
    409: problem("`images-exhausted`"),
    413: problem("`image-too-large`"),
    415: problem("`content-encoding-unsupported`, with Accept-Encoding"),
    ...limitedProblems,
    ...writeProblems,
  },
});

const listRoute = createRoute({
  method: "get",
  path,
  summary: "The pictures that are kept, newest first",
  security: securityOf(`GET ${entry}`),
  request: { params: projectParameter },
  responses: {
    200: answer("All of them.", imageListSchema),
    ...sessionProblems,
    404: problem("`project-unknown`"),
  },
});

const usesRoute = createRoute({
  method: "get",
  path: `${path}/{hash}/uses`,
  summary: "What shows a picture: drafts, and messages that have not ended",
  security: securityOf(`GET ${entry}/:hash/uses`),
  request: { params: imageParameters },
  responses: {
    200: answer("How many.", imageUsesSchema),
    ...sessionProblems,
    404: problem("`project-unknown`, `image-unknown`"),
  },
});

const removeRoute = createRoute({
  method: "delete",
  path: `${path}/{hash}`,
  summary: "Remove a picture: notifications that were sent with it show none any more",
  security: securityOf(`DELETE ${entry}/:hash`),
  request: { params: imageParameters },
  responses: {
    204: { description: "It is not served any more." },
    ...sessionProblems,
    404: problem("`project-unknown`, `image-unknown`"),
    409: problem("`image-in-use`"),
    ...writeProblems,
  },
});

const fileRoute = createRoute({
  method: "get",
  path: `${imagesPath}/{file}`,
  summary: "A picture, for the browsers that show it",
  security: securityOf(`GET ${imagesPath}/:file`),
  request: {
    params: z.object({
      file: z.string().describe("Hash and ending of the picture, as its `url` has them."),
    }),
  },
  responses: {
    200: {
      description: "The same for ever.",
      content: imageContent,
    },
    404: problem("`image-unknown`"),
  },
});

/** Routes for operators who may publish, and the one for everybody that serves what they have uploaded. */
export function addImageRoutes(app: OpenAPIHono<ProjectEnv>, images: Images): void {
  app.openapi(addRoute, async (context) => {
    const bytes = await readBody(context, limits.imageBytes, "image-unreadable").catch(
      (error: unknown) => {
        if (error instanceof HttpProblem && error.code === "body-too-large") {
          throw new HttpProblem("image-too-large");
        }
        throw error;
      },
    );
    const result = await images.add(context.get("project").id, bytes, context.get("asker"));
    if (result.kind === "refused") throw new HttpProblem(result.code);
    return context.json(result.image, 201);
  });

  app.openapi(listRoute, async (context) =>
    context.json({ images: await images.list(context.get("project").id) }, 200),
  );

  app.openapi(usesRoute, async (context) => {
    const { hash } = context.req.valid("param");
    const uses = await images.uses(context.get("project").id, hash);
    if (uses === null) throw new HttpProblem("image-unknown");
    return context.json(uses, 200);
  });

  app.openapi(removeRoute, async (context) => {
    const { hash } = context.req.valid("param");
    const result = await images.remove(context.get("project").id, hash, context.get("asker"));
    if (result.kind === "refused") throw new HttpProblem(result.code);
    return context.body(null, 204);
  });

  app.openapi(fileRoute, async (context) => {
    const image = await images.read(context.req.valid("param").file);
    if (image === null) throw new HttpProblem("image-unknown");
    return new Response(image.bytes, {
      headers: {
        "Content-Type": imageTypes[image.type],
        "Cache-Control": "public, max-age=31536000, immutable",
        // Whatever a browser takes it for, nothing in it runs or loads anything.
        "Content-Security-Policy": "default-src 'none'",
        // Pages of the project's other origins show it, too (Fetch standard, "Cross-Origin-Resource-Policy").
        "Cross-Origin-Resource-Policy": "cross-origin",
      },
    });
  });
}
