/**
 * `import "…"`, `import … from "…"`, `export … from "…"` and `import("…")`. Every part is bounded, so that whatever stands in a
 * script it takes time in proportion to its length.
 */
const imported =
  /\b(?:from\s{0,20}|import\s{0,20}(?:\(\s{0,20}(?:\/\*[^*]{0,200}\*\/\s{0,20})?)?)(["'`])([^"'`\\\s]{1,500})\1/g;

/** Names of packages are for import maps and bundlers: they lead nowhere by themselves. */
const isPath = /^(?:\.{0,2}\/|https?:)/i;

/** More of one script than anybody follows. */
const most = 100;

/** What a script imports by addresses that stand in it as such, in order, each once: the first hundred. */
export function importsOf(script: string): string[] {
  const found = new Set<string>();
  for (const [, quote, path = ""] of script.matchAll(imported)) {
    const isMade = quote === "`" && path.includes("${");
    if (isPath.test(path) && !isMade) found.add(path);
    if (found.size === most) break;
  }
  return [...found];
}
