import type { ImageFileType, ImageUses } from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";

export type ImageHead = {
  /** SHA-256 of the bytes. */
  hash: Uint8Array;
  type: ImageFileType;
  widthPixels: number;
  heightPixels: number;
  byteCount: number;
  createdAtMs: number;
};

export type ImageStore = {
  /** Only if the project has fewer than `atMost`. What it has already is not kept twice, and not told of to the audit. */
  add(
    projectId: number,
    image: Omit<ImageHead, "createdAtMs" | "byteCount"> & { bytes: Uint8Array },
    atMost: number,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<{ kind: "added" | "known"; image: ImageHead } | { kind: "exhausted" }>;
  /** Of the project, newest first, without their bytes. */
  list(projectId: number): Promise<ImageHead[]>;
  /** Whichever project it is of: whoever knows the hash may see it. */
  read(hash: Uint8Array): Promise<{ type: ImageFileType; bytes: Uint8Array<ArrayBuffer> } | null>;
  /** What of the project names the picture by its hash; null if the project does not have it. Reads all that might. */
  uses(projectId: number, hash: Uint8Array): Promise<ImageUses | null>;
  /** Only if the project has it, and no message that has not ended names it. */
  remove(
    projectId: number,
    hash: Uint8Array,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<"removed" | "unknown" | "in-use">;
};
