/**
 * A server whose pushes go to a fake that accepts everything and prints a line for each:
 * delivery-child.ts <data folder> <site folder> <worker file>
 */
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { startServer } from "../server.ts";
import { acceptedOutcome, fakePush } from "./fake-push.ts";

const [dataFolder = "", siteFolder = "", workerFile = ""] = process.argv.slice(2);
const { config } = readConfig({
  flags: {},
  environment: { SINETA_PORT: "0", SINETA_DATA: dataFolder },
  folder: dataFolder,
});
const fake = fakePush();
fake.answer = async (registrationId) => {
  await new Promise<void>((resolve) =>
    process.stdout.write(`sent ${registrationId}\n`, () => resolve()),
  );
  return acceptedOutcome;
};
await startServer(config, {
  log: createLog("warn", process.stderr),
  places: { siteFolder, workerFile },
  sendPush: fake.send,
});
process.stdout.write("ready\n");
