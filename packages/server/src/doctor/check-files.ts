import { lstatSync, readdirSync, statSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import type { DoctorFinding } from "@sineta/protocol";
import { databaseFile } from "../data-errors.ts";
import { noneIfOutOfReach } from "./out-of-reach.ts";
import { finding } from "./finding.ts";

/** Files there live as long as a service or a container, which alone sees them (systemd's credentials, secrets of containers). */
const runFolder = "/run/";
/** Of the group and of others. */
const openBits = 0o077;
/** A service may hand a secret to its group alone. */
const othersBits = 0o007;
/** The remedy is a command to copy, and a server that was taken over may name files in its folder as it likes. */
const plainName = /^[\w.-]+$/;

/**
 * Looks at the owner and the mode of each file in the data folder. Finds nothing where the folder is missing or closed to this
 * user: the finding on the database tells that. Windows has no such modes, so nothing is found there.
 * @param secretFile the file of SINETA_SECRET_FILE; null if there is none
 */
export function checkFiles(dataFolder: string, secretFile: string | null): DoctorFinding[] {
  if (process.platform === "win32") return [];
  try {
    return findingsOn(dataFolder, secretFile);
  } catch (error) {
    noneIfOutOfReach(error);
    return [];
  }
}

function findingsOn(dataFolder: string, secretFile: string | null): DoctorFinding[] {
  const folder = statSync(dataFolder);
  const files = readdirSync(dataFolder).flatMap((name) => statOf(join(dataFolder, name)));
  // A folder that is closed to others keeps its files from them, too.
  const isClosed = (folder.mode & openBits) === 0;
  const open = isClosed ? [] : files.filter(({ stats }) => (stats.mode & openBits) !== 0);
  const told = open.map((file) =>
    plainName.test(basename(file.path)) ? file : { path: dataFolder, stats: folder },
  );
  const isSeen = secretFile !== null && !secretFile.startsWith(runFolder);
  const secret = isSeen ? statOf(secretFile, statSync) : [];
  told.push(...secret.filter(({ stats }) => (stats.mode & othersBits) !== 0));
  const database = files.find(({ path }) => path === databaseFile(dataFolder));
  const owner = database?.stats.uid ?? folder.uid;
  const found = [
    ...new Map(
      told.map(({ path, stats }) => [path, finding("file-open", path, modeText(stats))]),
    ).values(),
    ...files
      .filter(({ stats }) => stats.uid !== owner)
      .map(({ path, stats }) => finding("file-of-another", path, String(stats.uid))),
  ];
  return found.length === 0 ? [finding("files-private")] : found;
}

/** None if the file is gone meanwhile, or out of reach. */
function statOf(
  path: string,
  look: typeof lstatSync | typeof statSync = lstatSync,
): { path: string; stats: Stats }[] {
  try {
    const stats = look(path, { throwIfNoEntry: false });
    return stats === undefined || !stats.isFile() ? [] : [{ path, stats }];
  } catch (error) {
    noneIfOutOfReach(error);
    return [];
  }
}

function modeText({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(3, "0");
}
