// npm run container: builds the image `sineta` of this checkout, and runs it.
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { buildImage, imageBytes, makeBase, runCommand } from "./container/image.mjs";

const usage = `usage: npm run container [-- --build-only]

Builds the image sineta with buildah, on a base made from Debian's packages. Then podman runs it at http://localhost:8080, with its data
in the volume sineta. Ctrl+C stops it. SINETA_PORT names another port.

  --build-only   builds the image, and runs nothing`;

const image = "sineta";
const say = (sentence) => console.log(`container: ${sentence}`);

function readBuildOnly() {
  try {
    return parseArgs({ options: { "build-only": { type: "boolean", default: false } } }).values[
      "build-only"
    ];
  } catch {
    return undefined;
  }
}

/** @returns {Promise<number>} the exit status */
async function runImage() {
  const port = process.env["SINETA_PORT"] ?? "8080";
  // In the machine's own network, so that the bell works at localhost as it does with `npm start`.
  const network = [
    "--network=host",
    "--no-healthcheck",
    "--env=SINETA_HOST=127.0.0.1",
    `--env=SINETA_PORT=${port}`,
  ];
  const options = ["--rm", "--name=sineta", "--volume=sineta:/var/lib/sineta", ...network];
  const child = spawn(...runCommand(image, options), { stdio: "inherit" });
  // podman hands a signal on to the server. Ctrl+C reaches podman by itself.
  process.on("SIGINT", () => undefined).on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve) => child.once("close", (status) => resolve(status ?? 1)));
}

async function main() {
  const buildOnly = readBuildOnly();
  if (buildOnly === undefined) {
    console.error(usage);
    return 2;
  }
  try {
    say("making the base from Debian's packages");
    makeBase();
    say("building the image");
    buildImage(image);
  } catch (error) {
    for (const line of error.message.split("\n")) console.error(`container: ${line}`);
    return 1;
  }
  say(`the image ${image} takes ${Math.round(imageBytes(image) / 1e6)} MB`);
  return buildOnly ? 0 : runImage();
}

process.exitCode = await main();
