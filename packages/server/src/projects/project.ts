import type { VapidKeyRing } from "./vapid-keys.ts";

/** A site that the server works for, ready for use. */
export type ActiveProject = {
  id: number;
  name: string;
  /** Exact origins of its pages: what CORS allows, and what may register. */
  origins: ReadonlySet<string>;
  keys: VapidKeyRing;
};

/** Every project there is, by name. So far that is `default` alone. */
export type Projects = ReadonlyMap<string, ActiveProject>;

export const defaultProjectName = "default";
