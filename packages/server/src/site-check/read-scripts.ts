import { addressOf, type Look } from "./finding.ts";
import { importsOf } from "./imports-of.ts";

export type Script = {
  /** Of its own origin; null: it stands in the page. */
  readonly path: string | null;
  readonly text: string;
};

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
  const imported: URL[] = [];
  let unseen: string | null = null;
  let isDone = false;

  function keep(script: Script, from: URL): void {
    isDone = isEnough(script);
    for (const each of importsOf(script.text)) {
      if (imported.length > mostNamed) return;
      const address = addressOf(each, from);
      if (address !== null) imported.push(address);
    }
  }

  /** Reads those of the own origin that were not read yet. */
  async function read(addresses: readonly URL[], most: number, allBytes: number): Promise<void> {
    unseen ??= addresses.find(({ origin }) => origin !== page.url.origin)?.href ?? null;
    const own = [
      ...new Set(addresses.filter(({ origin }) => origin === page.url.origin).map(withoutHash)),
    ].filter((each) => !asked.has(each));
    let leftBytes = allBytes;
    for (const [index, href] of own.entries()) {
      if (isDone) return;
      if (index === most || leftBytes <= 0) {
        unseen ??= href;
        return;
      }
      asked.add(href);
      const script = await fetch(new URL(href), Math.min(scriptBytes, leftBytes));
      if (script.kind === "none") {
        if (script.reason === "timed-out") unseen ??= href;
        continue;
      }
      leftBytes -= Buffer.byteLength(script.text);
      if (!script.isWhole) unseen ??= href;
      keep({ path: new URL(href).pathname, text: script.text }, script.url);
    }
  }

  const inPage = new Map<string, URL>();
  let elsewhere: URL | null = null;
  for (const { name, attributes, text } of tags) {
    if (name === "script" && !attributes.has("src")) keep({ path: null, text }, base);
    // A page may name ten thousands, each of which would hold the page's base once more.
    if (inPage.size > mostScripts) continue;
    const address = addressOf(sourceOf(name, attributes), base);
    if (address === null) continue;
    if (address.origin === page.url.origin) inPage.set(withoutHash(address), address);
    else elsewhere ??= address;
  }
  unseen ??= elsewhere?.href ?? null;
  await read([...inPage.values()], mostScripts, mostScripts * scriptBytes);
  const level = [...imported];
  await read(level, mostImported, importedBytes);
  const behind = imported.slice(level.length).map(withoutHash);
  return unseen ?? behind.find((each) => !asked.has(each)) ?? null;
}

/** Where a tag that loads a script says that it lies. */
function sourceOf(name: string, attributes: ReadonlyMap<string, string>): string | undefined {
  const isPreload =
    name === "link" && /(^|\s)modulepreload(\s|$)/i.test(attributes.get("rel") ?? "");
  if (name === "script") return attributes.get("src");
  return isPreload ? attributes.get("href") : undefined;
}

/** The same file, for whoever asks a server for it. */
function withoutHash(address: URL): string {
  const { href, hash } = address;
  return hash === "" ? href : href.slice(0, -hash.length);
}
