// What the console loads first, for each of its pages: the entry, the page's own chunk, whatever these import, and the font for
// Latin. What they load later by themselves (another language, the font for other letters) is not counted.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const limitBytes = 250_000;

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), "apps", "console", "dist");
const manifest = JSON.parse(readFileSync(join(dist, ".vite", "manifest.json"), "utf8"));
const sizes = new Map();

function gzipBytes(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file))).length);
  return sizes.get(file);
}

/** The files of these chunks and of all that they import. */
function filesOf(names, found = new Set(), seen = new Set()) {
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    const { file, css = [], assets = [], imports = [] } = manifest[name];
    const fonts = assets.filter((asset) => asset.includes("-latin-wght-"));
    for (const each of [file, ...css, ...fonts]) found.add(each);
    filesOf(imports, found, seen);
  }
  return found;
}

const pages = Object.keys(manifest).filter((name) => /^src\/pages\/.*-page\.tsx$/.test(name));
if (pages.length === 0) throw new Error("the console's build names no page");
const loads = pages.map((page) => {
  const files = filesOf(["index.html", page]).add("index.html");
  return { page, bytes: [...files].reduce((sum, file) => sum + gzipBytes(file), 0) };
});
loads.sort((one, other) => other.bytes - one.bytes);
for (const { page, bytes } of loads) {
  console.log(`${(bytes / 1000).toFixed(1).padStart(6)} kB  ${page}`);
}
const tooLarge = loads.filter(({ bytes }) => bytes > limitBytes);
if (tooLarge.length > 0) {
  console.error(`${tooLarge.length} pages load more than ${limitBytes / 1000} kB (gzip) at first.`);
  process.exit(1);
}
