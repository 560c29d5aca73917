import { z } from "zod";

/** Who runs a push service; `other`: one that the operator allowed. */
export const pushServiceSchema = z
  .enum(["fcm", "mozilla", "apple", "windows", "other"])
  .describe("Who runs the push service. `other`: one that the operator allowed.");
export type PushServiceName = z.infer<typeof pushServiceSchema>;
