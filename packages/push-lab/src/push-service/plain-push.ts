import type { Push } from "./pushes.ts";

/** A push as it goes into JSON: its body in base64url. */
export function plainPush(push: Push): Omit<Push, "body"> & { readonly body: string } {
  return { ...push, body: Buffer.from(push.body).toString("base64url") };
}
