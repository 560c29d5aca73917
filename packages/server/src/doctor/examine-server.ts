import type { DoctorFinding } from "@sineta/protocol";
import packageJson from "../../package.json" with { type: "json" };
import { secretThatFits } from "./check-secret.ts";
import { finding, inOrder } from "./finding.ts";
import { lookAround, type DoctorData, type LookAroundParts } from "./look-around.ts";

export type ServerExaminationParts = Omit<LookAroundParts, "data" | "port"> & {
  data: DoctorData;
  port: number;
  /** Where the server is reached. */
  serverUrl: string;
  /** Rejects if the server cannot do its work at the moment. */
  checkReady: () => Promise<void>;
};

/** What a running server finds of itself. Only the command reads the whole database: it takes seconds. */
export async function examineServer(parts: ServerExaminationParts): Promise<DoctorFinding[]> {
  const { origin } = new URL(parts.serverUrl);
  const isReady = await parts.checkReady().then(
    () => true,
    () => false,
  );
  const own = isReady
    ? [finding("server-runs", origin, packageJson.version), finding("database-opens")]
    : [finding("server-not-ready", origin, "503")];
  return inOrder([...own, secretThatFits(parts.config), ...(await lookAround(parts))]);
}
