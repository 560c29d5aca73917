import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes into a Chromium profile that these origins may show notifications, as if the visitor had allowed it. Call it while
 * the browser is not running. A permission granted by an automation tool is forgotten at the next start, and Chromium then
 * ends the subscription; this one stays.
 *
 * @param userDataDirectory what the browser is started with as `--user-data-dir`; made if it is not there
 * @param origins such as `http://127.0.0.1:8080`
 */
export async function allowNotifications(
  userDataDirectory: string,
  origins: readonly string[],
): Promise<void> {
  const path = join(userDataDirectory, "Default", "Preferences");
  await mkdir(join(userDataDirectory, "Default"), { recursive: true });
  const preferences = await readPreferences(path);
  const notifications = section(
    section(section(section(preferences, "profile"), "content_settings"), "exceptions"),
    "notifications",
  );
  for (const origin of origins) notifications[`${origin},*`] = { setting: 1 };
  await writeFile(path, JSON.stringify(preferences));
}

type Section = Record<string, unknown>;

async function readPreferences(path: string): Promise<Section> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return {};
  }
  const preferences: unknown = JSON.parse(text);
  return isSection(preferences) ? preferences : {};
}

function section(parent: Section, name: string): Section {
  const there = parent[name];
  if (isSection(there)) return there;
  const made: Section = {};
  parent[name] = made;
  return made;
}

function isSection(value: unknown): value is Section {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
