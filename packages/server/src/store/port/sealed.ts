import type { AuditEntry } from "./audit.ts";
import type { ProjectSecretPurpose } from "./projects.ts";

/** Where a sealed secret is kept, and what it is. */
export type SealedPlace =
  | { kind: "vapid-key"; id: number; publicKey: string }
  | { kind: "project-secret"; projectId: number; purpose: ProjectSecretPurpose }
  | { kind: "totp-secret"; operatorId: number };

/** All that is sealed, wherever it is kept: for changing the secret that it is sealed with. */
export type SealedStore = {
  all(): Promise<{ place: SealedPlace; sealed: Uint8Array }[]>;
  /** Only if each is still what it was, and there is nothing else that is sealed. */
  replace(
    changes: readonly { place: SealedPlace; before: Uint8Array; after: Uint8Array }[],
    audit: AuditEntry,
    nowMs: number,
  ): Promise<boolean>;
};
