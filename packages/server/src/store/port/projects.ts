import type { ProjectSettings, SettingsChange } from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";

export type Project = { id: number; name: string };

export type SealedVapidKey = {
  id: number;
  /** Uncompressed P-256 point, base64url. */
  publicKey: string;
  sealedPrivateKey: Uint8Array;
  createdAtMs: number;
};

/** What a project's secret is for: keys of receipts, or tokens of the site's users. */
export type ProjectSecretPurpose = "receipts" | "users";

export type ProjectStore = {
  /** The project of this name, made if it is not there. */
  ensure(name: string, nowMs: number): Promise<Project>;
  /** All keys of the project, newest first. The newest is the one to subscribe with. */
  vapidKeys(projectId: number): Promise<SealedVapidKey[]>;
  /** Adds the key only if the project has none. */
  addFirstVapidKey(
    projectId: number,
    key: Pick<SealedVapidKey, "publicKey" | "sealedPrivateKey">,
    nowMs: number,
  ): Promise<boolean>;
  /** The project's sealed secret for this purpose; null if it has none. */
  secret(projectId: number, purpose: ProjectSecretPurpose): Promise<Uint8Array | null>;
  /** Adds the sealed secret only if the project has none for this purpose. */
  addFirstSecret(
    projectId: number,
    purpose: ProjectSecretPurpose,
    sealedSecret: Uint8Array,
    nowMs: number,
  ): Promise<boolean>;
  settings(projectId: number): Promise<ProjectSettings>;
  /** Live registrations by the origin of the pages that they were made on, from counts that are kept. */
  liveByPageOrigin(projectId: number): Promise<{ origin: string; registrations: number }[]>;
  /** What of its quotas the project has used. */
  usage(
    projectId: number,
    nowMs: number,
  ): Promise<{ liveRegistrations: number; messagesWithinHour: number }>;
  /**
   * Changes what is given, and nothing if it is so already.
   * @param entry of the audit; what is new, and what was before, is added to it
   * @returns all settings as they are then
   */
  changeSettings(
    projectId: number,
    change: SettingsChange,
    entry: Omit<AuditEntry, "projectId" | "change">,
    nowMs: number,
  ): Promise<ProjectSettings>;
};
