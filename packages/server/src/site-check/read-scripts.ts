import { addressOf, type Look } from "./finding.ts";
import { importsOf } from "./imports-of.ts";
import type { Tag } from "./read-tags.ts";

export type Script = {
  /** Of its own origin; null: it stands in the page. */
  readonly url: URL | null;
  readonly text: string;
  /** The tag of the page that loads this script, directly or through an import. */
  readonly tag: Tag;
  readonly isImported: boolean;
};

type Source = Pick<Script, "tag" | "isImported"> & { readonly address: URL };

const scriptBytes = 2 * 1024 * 1024;
const mostScripts = 12;
const mostImported = 24;
/** More imports than anybody looks at: of the others no address is kept. */
const mostNamed = 1_000;
/** Of all that is imported, together. */
const importedBytes = 8 * 1024 * 1024;

/**
 * The page's scripts of its own origin, and behind them what they import by addresses that can be read in them: what is loaded when
 * it is needed lies there. What that imports in its turn is not followed.
 * @param isEnough is told each, and whether it was the last that needs to be read
 * @returns the address of one that was not looked at, or not to its end, if there is one
 */
export async function readScripts(
  { tags, base, page, fetch }: Look,
  isEnough: (script: Script) => boolean,
): Promise<string | null> {
  const asked = new Set<string>();
  const imported: Source[] = [];
  let unseen: string | null = null;
  let isDone = false;

  function keep(script: Script, from: URL): void {
    isDone = isEnough(script);
    for (const each of importsOf(script.text)) {
      if (imported.length > mostNamed) return;
      const address = addressOf(each, from);
      if (address !== null) imported.push({ address, tag: script.tag, isImported: true });
    }
  }

  /** Reads those of the own origin that were not read yet. */
  async function read(sources: readonly Source[], most: number, allBytes: number): Promise<void> {
    const isOwn = ({ address }: Source) => address.origin === page.url.origin;
    unseen ??= sources.find((source) => !isOwn(source))?.address.href ?? null;
    const unread = new Map<string, Source>();
    for (const source of sources.filter(isOwn)) {
      const href = withoutHash(source.address);
      if (!asked.has(href)) unread.set(href, source);
    }
    let leftBytes = allBytes;
    for (const [index, [href, { tag, isImported }]] of [...unread].entries()) {
      if (isDone) return;
      if (index === most || leftBytes <= 0) {
        unseen ??= href;
        return;
      }
      asked.add(href);
      const url = new URL(href);
      const script = await fetch(url, Math.min(scriptBytes, leftBytes));
      if (script.kind === "none") {
        if (script.reason === "timed-out") unseen ??= href;
        continue;
      }
      leftBytes -= Buffer.byteLength(script.text);
      if (!script.isWhole) unseen ??= href;
      keep({ url, text: script.text, tag, isImported }, script.url);
    }
  }

  const inPage = new Map<string, Source>();
  let elsewhere: URL | null = null;
  for (const tag of tags) {
    const { attributes, text } = tag;
    if (isScript(tag) && !attributes.has("src")) {
      keep({ url: null, text, tag, isImported: false }, base);
    }
    // A page may name ten thousands, each of which would hold the page's base once more.
    if (inPage.size > mostScripts) continue;
    const address = addressOf(sourceOf(tag), base);
    if (address === null) continue;
    if (address.origin !== page.url.origin) elsewhere ??= address;
    else if (rankOf(tag) > rankOf(inPage.get(withoutHash(address))?.tag)) {
      inPage.set(withoutHash(address), { address, tag, isImported: false });
    }
  }
  unseen ??= elsewhere?.href ?? null;
  await read([...inPage.values()], mostScripts, mostScripts * scriptBytes);
  const level = [...imported];
  await read(level, mostImported, importedBytes);
  const behind = imported.slice(level.length).map(({ address }) => withoutHash(address));
  return unseen ?? behind.find((each) => !asked.has(each)) ?? null;
}

/** Whether a tag's text is a script, and no data (HTML standard, "prepare the script element"). */
function isScript({ name, attributes }: Tag): boolean {
  const type = attributes.get("type") ?? "";
  return (
    name === "script" && (type === "" || /^(module|(text|application)\/\S*script)$/i.test(type))
  );
}

/** If several tags load the same file, the browser needs to allow one of them: a script rather than a link. */
function rankOf(tag: Tag | undefined): number {
  if (tag === undefined) return -1;
  return tag.name === "script" ? 1 + Number(tag.attributes.has("nonce")) : 0;
}

/** Where a tag that loads a script says that it lies. */
function sourceOf(tag: Tag): string | undefined {
  const { name, attributes } = tag;
  if (isScript(tag)) return attributes.get("src");
  const isPreload =
    name === "link" && /(^|\s)modulepreload(\s|$)/i.test(attributes.get("rel") ?? "");
  return isPreload ? attributes.get("href") : undefined;
}

/** The same file, for whoever asks a server for it. */
function withoutHash(address: URL): string {
  const { href, hash } = address;
  return hash === "" ? href : href.slice(0, -hash.length);
}
