/** The `sineta` command with another site than the built one: child.ts <site folder> <worker file> <words...> */
import { dirname, join } from "node:path";
import { main } from "../main.ts";

const [siteFolder = "", workerFile = "", ...words] = process.argv.slice(2);
process.argv.splice(2, process.argv.length, ...words);
// Beside the site: see testPlaces.
const beside = (name: string): string => join(dirname(siteFolder), name);
await main({
  siteFolder,
  consoleFolder: beside("console"),
  referenceFolder: beside("reference"),
  workerFile,
});
