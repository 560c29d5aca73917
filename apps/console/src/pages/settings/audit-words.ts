import type { AuditLineBody } from "@sineta/protocol";
import { deviceName, type DeviceWords } from "../../session/device-name.ts";
import type { Format } from "../../texts/format.ts";
import { isolated } from "../../parts/isolated.ts";

type Words = {
  fields: Readonly<Record<string, string>>;
  values: Readonly<Record<string, string>>;
  subjects: Readonly<Record<string, string>>;
};
export type AuditWording = {
  audit: Words;
  devices: DeviceWords;
  roles: Readonly<Record<string, string>>;
  format: Format;
};

/** The actions whose subject is an id, the project, or the place of the secret. */
const saysNothing =
  /^(?:message|draft|image|settings|registrations|audit|secret|invitation\.withdrawn$)/;

/** What operators do with what is their own. The actor of such a line is its subject. */
const own =
  /^(?:session|second-factor|recovery-codes|passkey|invitation\.accepted$|operator\.(?:logged-in|password-changed)$)/;

/** What a line was about, as people know it: of a notice its title. Empty where that is not known. */
export function subjectOf(
  { action, actor, subject, change }: AuditLineBody,
  { audit }: Pick<AuditWording, "audit">,
): string {
  const title = change?.["title"];
  if (typeof title === "string") return `“${isolated(title)}”`;
  if (saysNothing.test(action) || (own.test(action) && subject === actor.name)) return "";
  return audit.subjects[subject] ?? isolated(subject);
}

/** The notice that a line is about, where it has a page. */
export function noticeOf({ action, subject }: AuditLineBody): string | null {
  return /^message\.(published|cancelled)$/.test(action) ? subject : null;
}

/** Ids, which no page shows. */
const ids: ReadonlySet<string> = new Set(["draft", "session", "invitation"]);

/** New values, and the old ones where they are told: `role: viewer → editor`. Empty where there is nothing to tell. */
export function changeText({ action, change }: AuditLineBody, words: AuditWording): string {
  const { before, ...now } = change ?? {};
  const isWhole = typeof before === "object" && before !== null;
  const old = new Map<string, unknown>(isWhole ? Object.entries(before) : []);
  // Of one thing alone the old value may stand by itself.
  if (before !== undefined && before !== null && !isWhole)
    old.set(Object.keys(now)[0] ?? "", before);
  return (
    Object.entries(now)
      .filter(([name]) => !ids.has(name) && !(name === "title" && action.startsWith("message.")))
      // Of what never was there is nothing to tell.
      .filter(([name, value]) => value !== null || old.has(name))
      .map(([name, value]) => {
        const was = old.has(name) ? `${valueText(name, old.get(name), words)} → ` : "";
        return `${words.audit.fields[name] ?? name}: ${was}${valueText(name, value, words)}`;
      })
      .join(", ")
  );
}

function valueText(name: string, value: unknown, words: AuditWording): string {
  const { audit, devices, roles, format } = words;
  if (Array.isArray(value) && value.length === 0) return audit.values["null"] ?? "";
  if (Array.isArray(value)) return value.map((each) => valueText(name, each, words)).join(", ");
  if (typeof value === "number") return format.number(value);
  if (typeof value === "object" && value !== null) {
    const { kind, ...more } = Object.assign({ kind: "" }, value);
    return [kind, ...Object.values(more)]
      .map((each) => valueText(name, each, words))
      .filter((each) => each !== "")
      .join(" ");
  }
  if (typeof value !== "string") return audit.values[String(value)] ?? String(value);
  if (value === "") return audit.values["null"] ?? "";
  // An operator typed it. It may look like a code of the audit.
  if (name === "displayName" || name === "name") return isolated(value);
  // An id says nothing. The line of the other notice has its title.
  if (name === "replaces" || name === "replacedBy") return audit.values["message"] ?? "";
  if (name === "device") return deviceName(value, devices);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return format.dateTime(value);
  return audit.values[value] ?? roles[value] ?? isolated(value);
}
