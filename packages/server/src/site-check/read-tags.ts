/** A start tag, and of a script what stands in it. */
export type Tag = {
  /** In lower case. */
  readonly name: string;
  /** By names in lower case; the first of a name counts (HTML, section 13.2.5.33). */
  readonly attributes: ReadonlyMap<string, string>;
  /** What stands in a script or a style; empty for all others. */
  readonly text: string;
};

const tagStart = /<(?:(!--)|([a-z][^\s/>]*))/giy;
const attribute = /[\s/]*([^\s/=>][^\s/=>]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/y;
/**
 * What stands in them is text, whatever it looks like (HTML, section 13.2.5.1, "raw text"; of `noscript` where scripts run).
 * What stands in a template does nothing.
 */
const rawText: ReadonlySet<string> = new Set([
  "iframe",
  "noembed",
  "noframes",
  "noscript",
  "script",
  "style",
  "template",
  "textarea",
  "title",
  "xmp",
]);

/**
 * The start tags of a page, in order. It reads what a browser would read as far as a check needs it, and takes time in
 * proportion to the page's length, whatever stands in it.
 */
export function readTags(html: string): Tag[] {
  const tags: Tag[] = [];
  let at = html.indexOf("<");
  while (at !== -1) {
    tagStart.lastIndex = at;
    const start = tagStart.exec(html);
    if (start === null) {
      at = html.indexOf("<", at + 1);
      continue;
    }
    if (start[1] !== undefined) {
      const end = html.indexOf("-->", at + 2);
      if (end === -1) break;
      at = html.indexOf("<", end + 3);
      continue;
    }
    const name = (start[2] ?? "").toLowerCase();
    const { attributes, end } = readAttributes(html, tagStart.lastIndex);
    const close = rawText.has(name) ? closeOf(html, name, end) : end;
    const keepsText = name === "script" || name === "style";
    tags.push({ name, attributes, text: keepsText ? html.slice(end, close) : "" });
    at = html.indexOf("<", close);
  }
  return tags;
}

function readAttributes(
  html: string,
  start: number,
): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let end = start;
  for (;;) {
    attribute.lastIndex = end;
    const found = attribute.exec(html);
    if (found === null) break;
    end = attribute.lastIndex;
    const name = (found[1] ?? "").toLowerCase();
    const value = found[2] ?? found[3] ?? found[4] ?? "";
    if (!attributes.has(name)) attributes.set(name, withoutEntities(value));
  }
  const close = html.indexOf(">", end);
  return { attributes, end: close === -1 ? html.length : close + 1 };
}

const namedCharacters: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};

/** Decodes the character references that templates write into attributes: numbers, and the names of XML. */
function withoutEntities(value: string): string {
  return value
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|apos|gt|lt|quot));/gi,
      (all, hex, decimal, name) => {
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        if (name !== undefined) return namedCharacters[name.toLowerCase()] ?? all;
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
      },
    )
    .trim();
}

function closeOf(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}[\\s/>]`, "gi");
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}
