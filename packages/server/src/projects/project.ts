import type { PageOrigins } from "./page-origins.ts";
import type { VapidKeyRing } from "./vapid-keys.ts";

/** A site that the server works for, ready for use. */
export type ActiveProject = {
  id: number;
  name: string;
  /** Exact origins of its pages, by which CORS and registration go: Sineta's own, and those that somebody named. */
  origins: PageOrigins;
  keys: VapidKeyRing;
  /** Makes the keys of receipts (receipts/receipt-key.ts); 32 bytes. */
  receiptSecret: Uint8Array;
  /** What user tokens are signed with (users/user-key.ts). */
  userKey: string;
};

/** Every project there is, by name. So far that is `default` alone. */
export type Projects = ReadonlyMap<string, ActiveProject>;

export const defaultProjectName = "default";
