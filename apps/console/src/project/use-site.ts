import { useQuery } from "@tanstack/react-query";
import { useProject } from "../session/operator.ts";
import { installationQuery } from "./settings.ts";
import { siteOrigin } from "./site-origin.ts";

/** The origin of the site's pages, as notifications name it; undefined until the server has told. */
export function useSite(): string | undefined {
  const { data } = useQuery(installationQuery(useProject()));
  return data && siteOrigin(data);
}
