import { nearestName } from "./nearest-name.ts";

/** Of each setting's name. */
export const beginning = "SINETA_";

/**
 * The setting that is meant with a name that is none; null: no setting resembles it.
 * @param names of all settings, without their beginning
 */
export function meantSetting(variable: string, names: readonly string[]): string | null {
  if (!variable.startsWith(beginning)) return meantDespiteBeginning(variable, names);
  const meant = nearestName(variable.slice(beginning.length), names);
  return meant === null ? null : beginning + meant;
}

/** Finds the setting for a name with a misspelt beginning, such as SENITA_PORT, SINETAPORT and sineta_port. */
function meantDespiteBeginning(variable: string, names: readonly string[]): string | null {
  const [, start, rest = ""] = /^(sineta(?!_)|[^_]+(?=_))(.+)$/i.exec(variable) ?? [];
  if (start === undefined || nearestName(start, ["SINETA"]) === null) return null;
  // A web framework's, by which a site may be made.
  if (start.toUpperCase() === "SINATRA") return null;
  const nearest = nearestName(plain(rest), names.map(plain));
  const meant = names.find((name) => plain(name) === nearest);
  return meant === undefined ? null : beginning + meant;
}

function plain(name: string): string {
  return name.replaceAll("_", "");
}
