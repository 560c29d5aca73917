/** The `sineta` command with another site than the built one: child.ts <site folder> <worker file> <words...> */
import { main } from "../main.ts";

const [siteFolder = "", workerFile = "", ...words] = process.argv.slice(2);
process.argv.splice(2, process.argv.length, ...words);
await main({ siteFolder, workerFile });
