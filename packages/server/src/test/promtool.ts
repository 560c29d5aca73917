/** Runs the alerts that the server's package holds by Prometheus's own `promtool`. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProgram } from "../../../../scripts/programs.mjs";

export const rulesPath: string = deployed("sineta.rules.yml");
export const rulesText: string = readFileSync(rulesPath, "utf8");
export const scrapeText: string = readFileSync(deployed("scrape.yml"), "utf8");

/** The names of all alerts, in the order of the file. */
export const alertNames: readonly string[] = [...rulesText.matchAll(/^ +- alert: (\w+)$/gm)].map(
  ([, name = ""]) => name,
);

/** By series, such as `up{job="sineta"}`: one value for each minute in promtool's notation, such as `0+1x60`. */
export type Series = Readonly<Record<string, string>>;

export type FiredAlert = {
  exp_labels: Readonly<Record<string, string>>;
  exp_annotations: Readonly<Record<string, string>>;
};

export type Expected = {
  /** Minutes from the first value on. */
  atMinutes: number;
  /** By the alert's name; every other alert must not fire then. */
  fired: Readonly<Record<string, readonly FiredAlert[]>>;
};

/** Evaluates the rules once a minute over these series. @returns what promtool found to be otherwise; null if nothing */
export function testAlerts(series: Series, expected: readonly Expected[]): string | null {
  const test = {
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: expected.flatMap(({ atMinutes, fired }) =>
      alertNames.map((alertname) => ({
        eval_time: `${atMinutes}m`,
        alertname,
        exp_alerts: fired[alertname] ?? [],
      })),
    ),
  };
  const file = { rule_files: [rulesPath], evaluation_interval: "1m", tests: [test] };
  const folder = mkdtempSync(join(tmpdir(), "sineta-alerts-"));
  const path = join(folder, "test.yml");
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(file));
  const { status, text } = promtool("test", "rules", path);
  rmSync(folder, { recursive: true });
  return status === 0 ? null : text;
}

/** The alert with the texts of the file. @param values in the place of its templates that print `$value`, in their order */
export function firedAlert(
  alert: string,
  labels: Readonly<Record<string, string>>,
  ...values: readonly string[]
): FiredAlert {
  const [, rule = ""] = rulesText.split(`- alert: ${alert}\n`);
  const left = [...values];
  const render = (annotation: string) => {
    const place = new RegExp(`${annotation}: (?:>-\n((?: {12}.*\n)+)|"?(.*?)"?\n)`);
    const [, folded, plain = ""] = place.exec(rule) ?? [];
    return (folded?.trim().replaceAll(/\n +/g, " ") ?? plain)
      .replace(
        / \{\{- with \$labels\.(\w+) \}\}(.+?)\{\{ end \}\}/,
        (_, label: string, text: string) => text.replace("{{ . }}", labels[label] ?? ""),
      )
      .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? "")
      .replaceAll(/\{\{.+?\}\}/g, () => left.shift() ?? "");
  };
  const [, severity = ""] = /severity: (\w+)/.exec(rule) ?? [];
  const annotations = { summary: render("summary"), description: render("description") };
  return { exp_labels: { ...labels, severity }, exp_annotations: annotations };
}

/** @returns the exit status, and what it wrote */
export function promtool(...words: string[]): { status: number | null; text: string } {
  const ran = spawnSync(mustFind("promtool"), words, { encoding: "utf8" });
  return { status: ran.status, text: ran.stdout + ran.stderr };
}

/** @throws if neither the system nor set-up has it */
export function mustFind(program: "prometheus" | "promtool"): string {
  const path = findProgram(program);
  if (path === undefined) throw new Error(`there is no ${program}: npm test installs it`);
  return path;
}

function deployed(file: string): string {
  return fileURLToPath(new URL(`../../deploy/prometheus/${file}`, import.meta.url));
}
