import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
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
import { checkServer } from "./check-server.ts";
import { finding, inOrder, sizeText } from "./finding.ts";
import { lookAround, type DoctorData, type LookAroundParts } from "./look-around.ts";
import { doctorToken } from "./token.ts";

export type ExaminationParts = Pick<ConfigReport, "config" | "warnings"> &
  Pick<LookAroundParts, "connect" | "readDisk" | "now">;

const deadlineMs = 5_000;

/** What a command on the server's machine finds, whether the server runs or not. */
export async function examineFromOutside(parts: ExaminationParts): Promise<DoctorFinding[]> {
  const { config, now } = parts;
  const opened = await openData(parts);
  try {
    const { data } = opened;
    const isRunning = isServed(config.dataFolder);
    const token = data === null ? null : doctorToken(data.project.receiptSecret, now());
    const signal = AbortSignal.timeout(deadlineMs);
    const port = isRunning ? config.port : null;
    return inOrder([
      ...opened.findings,
      ...(await checkServer({ config, isRunning, token, signal })),
      ...(await lookAround({ ...parts, data, port })),
    ]);
  } finally {
    await opened.store?.close();
  }
}

type Opened = { store: Store | null; data: DoctorData | null; findings: DoctorFinding[] };

/** Opens the data as a command does, but brings no older database to this version. */
async function openData({ config, now }: ExaminationParts): Promise<Opened> {
  const { dataFolder, secret } = config;
  let store: Store | null = null;
  try {
    if (demandData(dataFolder) === "pending") {
      return { store, data: null, findings: [finding("database-old")] };
    }
    const soundness = checkDatabase(databaseFile(dataFolder));
    store = await openPresentDataFolder(dataFolder, now());
    const place = { store, dataFolder, secret, randomBytes, nowMs: now() };
    const project = await openDefaultProject(place);
    return { store, data: { store, project }, findings: [soundness, secretThatFits(config)] };
  } catch (thrown) {
    const error = dataError(dataFolder, thrown) ?? thrown;
    if (!(error instanceof CommandError)) throw error;
    return { store, data: null, findings: [unusable(error)] };
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

/** A folder that this user cannot look into is told of by the database's finding. */
function isServed(dataFolder: string): boolean {
  try {
    return isServing(dataFolder);
  } catch {
    return false;
  }
}
