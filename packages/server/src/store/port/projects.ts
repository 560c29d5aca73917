export type Project = { id: number; name: string };

export type SealedVapidKey = {
  id: number;
  /** Uncompressed P-256 point, base64url. */
  publicKey: string;
  sealedPrivateKey: Uint8Array;
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
    key: Omit<SealedVapidKey, "id">,
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
};
