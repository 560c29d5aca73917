import type { Role } from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";

/** Somebody who runs projects. */
export type Operator = {
  id: number;
  /** Trimmed and in lower case. */
  email: string;
  name: string;
  createdAtMs: number;
  lastLoginAtMs: number | null;
};

/** An operator with what log-in needs. Never leaves the server. */
export type OperatorCredentials = Operator & {
  /** PHC string. */
  passwordHash: string;
  /** Sealed; null if there is none, or none that has been confirmed. */
  sealedTotpSecret: Uint8Array | null;
  passkeys: number;
};

export type OperatorWithRole = Operator & {
  role: Role;
  /** Whether log-in asks for more than the password. */
  hasSecondFactor: boolean;
};

export type Invitation = {
  id: number;
  projectId: number;
  role: Role;
  /** For nobody else; null: for whoever has the link. */
  email: string | null;
  /** E-mail address; null: the first start, or the command line. */
  invitedBy: string | null;
  createdAtMs: number;
  expiresAtMs: number;
};

export type NewInvitation = Omit<Invitation, "id" | "createdAtMs" | "invitedBy"> & {
  tokenHash: Uint8Array;
  /** Operator. */
  invitedBy: number | null;
};

/** What became of an invitation that somebody wants to use. */
export type Acceptance =
  | { kind: "accepted"; operatorId: number; email: string }
  /** It was used, withdrawn, or has expired. */
  | { kind: "invitation-gone" }
  /** It names another e-mail address. */
  | { kind: "invitation-for-another" }
  /** Somebody has this e-mail address already. */
  | { kind: "email-taken" };

/** Every project keeps an owner: what would take the last one away answers `last-owner` and changes nothing. */
export type OwnerKept = "changed" | "not-found" | "last-owner";

export type OperatorStore = {
  /** How many there are, of all projects. */
  count(): Promise<number>;
  findByEmail(email: string): Promise<OperatorCredentials | null>;
  findById(id: number): Promise<OperatorCredentials | null>;
  /** Roles by project. */
  rolesOf(id: number): Promise<{ projectId: number; role: Role }[]>;
  /** Of a project, by e-mail address. */
  list(projectId: number): Promise<OperatorWithRole[]>;
  /** All of them, by e-mail address. */
  listAll(): Promise<Operator[]>;
  /** Only if nobody has this e-mail address. Withdraws the invitation of the first start. */
  add(
    operator: { email: string; name: string; passwordHash: string },
    role: { projectId: number; role: Role },
    audit: AuditEntry,
    nowMs: number,
  ): Promise<number | null>;
  /**
   * Of one who has a role there. An owner's own invitations end with the ownership; the audit's line names the API keys that
   * the owner has made and that are good still, as those of `removeRole` and `remove` do.
   */
  setRole(
    id: number,
    role: { projectId: number; role: Role },
    audit: AuditEntry,
    nowMs: number,
  ): Promise<OwnerKept>;
  /** Takes the role away, and withdraws the operator's own invitations; one who has no role left loses the sessions. */
  removeRole(id: number, projectId: number, audit: AuditEntry, nowMs: number): Promise<OwnerKept>;
  /**
   * Ends all sessions of the operator but the one that asks. Only if the password is still the one that was looked at, and
   * that session has not been ended meanwhile: whoever recovers the account at the same time wins.
   */
  setPassword(
    id: number,
    passwordHash: { from: string; to: string },
    keepSession: number,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<boolean>;
  /** The same password hashed anew, by today's parameters. Only if it is still kept as `from`. */
  rehash(id: number, hash: { from: string; to: string }): Promise<boolean>;
  /** A new password for one who has lost everything: ends all sessions, second factors and passkeys. */
  recover(id: number, passwordHash: string, audit: AuditEntry, nowMs: number): Promise<boolean>;
  /** With all there is of the operator. The audit stays. */
  remove(id: number, audit: AuditEntry, nowMs: number): Promise<OwnerKept>;

  invite(invitation: NewInvitation, audit: AuditEntry, nowMs: number): Promise<number>;
  /** One that has not expired. */
  findInvitation(tokenHash: Uint8Array, nowMs: number): Promise<Invitation | null>;
  /** Of a project, newest first, without those that have expired. */
  invitations(projectId: number, nowMs: number): Promise<Invitation[]>;
  withdrawInvitation(
    projectId: number,
    id: number,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<boolean>;
  /** Only if there is no operator. Withdraws those of earlier starts: the newest link alone is good. */
  inviteFirst(
    invitation: Pick<NewInvitation, "projectId" | "tokenHash" | "expiresAtMs">,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<boolean>;
  /**
   * Uses the invitation up and adds the operator; one who is an operator already gets the role, unless the own one says
   * more. Writes the audit's line itself. Withdraws the invitation of the first start. One that is for no address ends when
   * five were tried with it that somebody has.
   */
  accept(
    tokenHash: Uint8Array,
    who: { email: string; name: string; passwordHash: string } | { operatorId: number },
    from: Pick<AuditEntry, "address">,
    nowMs: number,
  ): Promise<Acceptance>;
};
