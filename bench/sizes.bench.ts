import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import type { Bench } from "./bench.ts";
import manifest from "./package.json" with { type: "json" };
import { tableOf } from "./table.ts";

const { firebase, "react-onesignal": oneSignal } = manifest.devDependencies;

/** The entry files that are bundled; each names the functions a site needs at least, and nothing else. */
const contenders: readonly Contender[] = [
  {
    name: "Sineta",
    entries: {
      page: import.meta.resolve("./sizes/sineta-page.js"),
      pageWithBell: import.meta.resolve("./sizes/sineta-page-with-bell.js"),
      worker: import.meta.resolve("../packages/client/src/worker/sw.ts"),
    },
  },
  {
    name: `Firebase ${firebase}, app and messaging`,
    entries: {
      page: import.meta.resolve("./sizes/firebase-page.js"),
      pageWithBell: import.meta.resolve("./sizes/firebase-page-with-bell.js"),
      worker: import.meta.resolve("./sizes/firebase-worker.js"),
    },
  },
  {
    name: `react-onesignal ${oneSignal}, the wrapper alone`,
    entries: { page: import.meta.resolve("./sizes/onesignal-page.js") },
  },
];

type Place = "page" | "pageWithBell" | "worker";
type Contender = { readonly name: string; readonly entries: Partial<Record<Place, string>> };

const columns: readonly { place: Place; title: string }[] = [
  { place: "page", title: "page" },
  { place: "pageWithBell", title: "page with bell" },
  { place: "worker", title: "worker" },
];

const document = new URL("../docs/performance.md", import.meta.url);
const marked = /(?<=<!-- sizes -->\n\n).*?(?=\n\n<!-- \/sizes -->)/s;

/** gzip sizes of what a browser loads, all bundled alike. The bounds are size-limit's (`npm run size`). */
export const sizesBench: Bench = {
  name: "sizes, gzip",
  async run({ write }) {
    const rows = await Promise.all(
      contenders.map(async ({ name, entries }) => {
        const sizes = columns.map(({ place }) => sizeOf(entries[place]));
        return [name].concat(await Promise.all(sizes));
      }),
    );
    const table = tableOf([["", ...columns.map(({ title }) => title)], ...rows]);
    console.log(table);
    if (write) {
      const before = readFileSync(document, "utf8");
      if (!marked.test(before)) throw new Error(`${document.pathname} has no place for the table`);
      writeFileSync(
        document,
        before.replace(marked, () => table),
      );
    }
    return { passed: true };
  },
};

async function sizeOf(entry: string | undefined): Promise<string> {
  if (entry === undefined) return "-";
  return `${((await gzipBytes(fileURLToPath(entry))) / 1000).toFixed(2)} kB`;
}

/** Scripts and styles of one entry, as Vite makes them for production; React is the page's own. */
async function gzipBytes(input: string): Promise<number> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    // What is not built yet is measured from its sources.
    resolve: { conditions: ["source", "module", "browser", "production"] },
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input,
        external: /^react(-dom)?(\/|$)/,
        preserveEntrySignatures: "strict",
      },
    },
  });
  if (!("output" in built)) throw new Error(`${input} was bundled to more than one result`);
  const bytes = built.output.map((file) => {
    const content = file.type === "chunk" ? file.code : file.source;
    if (content.length === 0) throw new Error(`Nothing was left of ${input}`);
    // What size-limit does, so that the figures can be compared.
    return gzipSync(content, { level: 9 }).byteLength;
  });
  return bytes.reduce((sum, one) => sum + one, 0);
}
