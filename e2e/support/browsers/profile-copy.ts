import { cp, rename, rm } from "node:fs/promises";

const placeOf = (profile: string) => `${profile}.copy`;

/** Copies a profile's folder. Resolves to what puts the copy in its place. */
export async function copyProfile(profile: string): Promise<() => Promise<void>> {
  await cp(profile, placeOf(profile), { recursive: true, verbatimSymlinks: true });
  return async () => {
    await rm(profile, { recursive: true });
    await rename(placeOf(profile), profile);
  };
}

/** Removes a profile's folder and its copy. */
export async function removeProfile(profile: string): Promise<void> {
  for (const folder of [profile, placeOf(profile)])
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
