import { createPageOrigins, type PageOrigins } from "../projects/page-origins.ts";

/** Origins of a project's pages, whatever its settings say. */
export function fixedOrigins(origins: readonly string[]): PageOrigins {
  const parts = { readSettings: async () => [], now: () => 0 };
  return createPageOrigins({ ...parts, own: new Set(origins), environment: [] });
}
