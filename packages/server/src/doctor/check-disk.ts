import { statfs } from "node:fs/promises";
import type { DoctorFinding } from "@sineta/protocol";
import { freeBytesAt } from "../data-folder.ts";
import { noneIfOutOfReach } from "./out-of-reach.ts";
import { finding, sizeText } from "./finding.ts";

/** Kinds of network file systems (Linux, statfs(2), `f_type`). */
const remoteKinds: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB2"],
  [0xff534d42, "CIFS"],
  [0x00c36400, "Ceph"],
  [0x5346414f, "AFS"],
]);

export type DiskParts = {
  dataFolder: string;
  /** SINETA_DISK_LOW_MIB. */
  lowBytes: number;
  /** In place of the system's, for tests. */
  read?: (folder: string) => Promise<{ freeBytes: number; kind: number }>;
};

/** Finds nothing where the folder is missing or closed to this user: the finding on the database tells that. */
export async function checkDisk({
  dataFolder,
  lowBytes,
  read = readDisk,
}: DiskParts): Promise<DoctorFinding[]> {
  const disk = await read(dataFolder).catch(noneIfOutOfReach);
  if (disk === null) return [];
  const { freeBytes, kind } = disk;
  // Node gives the kind as a signed number.
  const remote = remoteKinds.get(kind >>> 0);
  const free = sizeText(freeBytes);
  return [
    freeBytes < lowBytes
      ? finding("disk-low", sizeText(lowBytes), free)
      : finding("disk-free", null, free),
    ...(remote === undefined ? [] : [finding("disk-remote", dataFolder, remote)]),
  ];
}

async function readDisk(folder: string): Promise<{ freeBytes: number; kind: number }> {
  const { type } = await statfs(folder);
  return { freeBytes: await freeBytesAt(folder), kind: type };
}
