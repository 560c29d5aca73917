import { createECDH, randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { projectConfigSchema, registrationResponseSchema } from "@sineta/protocol";
import { fcm, isDone, setScene, type Scene } from "./support/scene.ts";

let scene: Scene | undefined;
afterEach(() => scene?.close());

/** A browser that registers over HTTP, as its page would. */
function browserOf({ server }: Scene) {
  const clientSecret = randomBytes(32).toString("base64url");
  const vapidKey = async () => {
    const answer = await fetch(new URL("/v1/projects/default/config", server.url));
    return projectConfigSchema.parse(await answer.json()).vapidKey;
  };
  return async (endpoint: string, token?: string): Promise<string> => {
    const keys = {
      p256dh: createECDH("prime256v1").generateKeys("base64url"),
      auth: randomBytes(16).toString("base64url"),
    };
    const answer = await fetch(new URL("/v1/projects/default/registrations", server.url), {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Origin: new URL(server.url).origin,
        "Sineta-Client-Secret": clientSecret,
      },
      body: JSON.stringify({
        subscription: { endpoint, keys },
        vapidKey: await vapidKey(),
        ...(token === undefined ? {} : { token }),
      }),
    });
    return registrationResponseSchema.parse(await answer.json()).token;
  };
}

test("a browser that subscribes anew while the answer 410 to its old endpoint is being written lives, and gets the message", async () => {
  scene = await setScene([]);
  const { server, sink } = scene;
  const register = browserOf(scene);
  const token = await register(`${fcm}/old`);
  await browserOf(scene)(`${fcm}/slow`);
  sink.misbehave({ path: "/old", fault: { kind: "answer", status: 410 } });
  // Keeps the page open, so that what came of the first is not written yet.
  const slow = sink.misbehave({ path: "/slow", fault: { kind: "hang", at: "request" } });

  const id = await scene.publish();
  await sink.until(() => sink.counts().statuses["410"] === 1 && slow.hits() === 1);
  expect(await register(`${fcm}/new`, token)).toBe(token);
  expect(sink.accepted(fcm).size).toBe(0);
  slow.stop();
  sink.misbehave({ fault: { kind: "refuse-connections" }, times: 1 });

  const done = await scene.until(id, isDone);
  expect(done.counts).toEqual({ accepted: 2, gone: 0, retry: 0, rejected: 0, failed: 0 });
  expect([...sink.accepted(fcm).keys()].toSorted()).toEqual(["/new", "/slow"]);

  // And it stays: the next message reaches both.
  const again = await scene.publish({ target: { kind: "token", token } });
  await scene.until(again, isDone);
  expect(sink.accepted(fcm).get("/new")).toBe(2);
  expect((await server.run("status")).stdout).toMatch(/2/);
});
