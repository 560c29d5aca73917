import { randomBytes } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { DoctorFinding } from "@sineta/protocol";
import { faultOf } from "../backup/soundness.ts";
import { CommandError } from "../command-error.ts";
import type { ConfigReport } from "../config.ts";
import { databaseFile, dataError } from "../data-errors.ts";
import { demandData, openPresentDataFolder } from "../data-folder.ts";
import { openDefaultProject } from "../projects/open.ts";
import { isServing } from "../serve-lock.ts";
import type { Store } from "../store/port.ts";
import { addFunctions, busyTimeoutMs } from "../store/sqlite/connection.ts";
import { secretThatFits } from "./check-secret.ts";
import { codeOf } from "./ask.ts";
import { checkServer } from "./check-server.ts";
import { finding, inOrder, sizeText } from "./finding.ts";
import { lookAround, type DoctorData, type LookAroundParts } from "./look-around.ts";
import { doctorToken } from "./token.ts";

export type ExaminationParts = Pick<ConfigReport, "config" | "warnings"> &
  Pick<LookAroundParts, "connect" | "readDisk" | "now">;

/** What a command on the server's machine finds, whether the server runs or not. */
export async function examineFromOutside(parts: ExaminationParts): Promise<DoctorFinding[]> {
  const { config, now } = parts;
  const { store, data, findings, isOlder } = await openData(parts);
  try {
    const isRunning = isServed(config.dataFolder);
    const token = data === null ? null : doctorToken(data.project.receiptSecret, now());
    const port = isRunning === true ? config.port : null;
    const looked = await Promise.all([
      checkServer({ config, isRunning, isOlder, token }),
      lookAround({ ...parts, data, port }),
    ]);
    return inOrder([...findings, ...looked.flat()]);
  } finally {
    await store?.close();
  }
}

type Opened = {
  store: Store | null;
  data: DoctorData | null;
  findings: DoctorFinding[];
  /** Whether the database is that of an earlier version. */
  isOlder: boolean;
};

/** Opens the data as a command does, but neither a damaged database nor that of an earlier version, which would be changed. */
async function openData({ config, now }: ExaminationParts): Promise<Opened> {
  const { dataFolder, secret } = config;
  let store: Store | null = null;
  const findings: DoctorFinding[] = [];
  try {
    if (demandData(dataFolder) === "pending") {
      return { store, data: null, findings: [finding("database-old")], isOlder: true };
    }
    const soundness = checkDatabase(databaseFile(dataFolder));
    findings.push(soundness);
    if (soundness.state !== "ok") return { store, data: null, findings, isOlder: false };
    store = await openPresentDataFolder(dataFolder, now());
    const place = { store, dataFolder, secret, randomBytes, nowMs: now() };
    const project = await openDefaultProject(place);
    findings.push(secretThatFits(config));
    return { store, data: { store, project }, findings, isOlder: false };
  } catch (thrown) {
    const error = dataError(dataFolder, thrown) ?? thrown;
    if (!(error instanceof CommandError)) throw error;
    return { store, data: null, findings: [...findings, unusable(error)], isOlder: false };
  }
}

function unusable({ code, message }: CommandError): DoctorFinding {
  if (code === "data-unwritable") return finding("database-out-of-reach", null, message);
  const isSecret = code === "secret-unusable" || code === "setting-invalid";
  return finding(isSecret ? "secret-unusable" : "database-unusable", null, message);
}

/** Reads each page. Writers go on meanwhile. */
function checkDatabase(file: string): DoctorFinding {
  const database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  try {
    addFunctions(database);
    const fault = faultOf(database);
    return fault === null
      ? finding("database-sound", null, sizeText(statSync(file).size))
      : finding("database-damaged", file, fault);
  } finally {
    database.close();
  }
}

/** @returns null for a folder that this user cannot look into, which the finding on the database tells */
function isServed(dataFolder: string): boolean | null {
  try {
    accessSync(dataFolder, constants.R_OK | constants.X_OK);
    return isServing(dataFolder);
  } catch (error) {
    return codeOf(error) === "ENOENT" ? false : null;
  }
}
