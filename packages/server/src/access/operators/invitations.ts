import type { Role } from "@sineta/protocol";
import type { Acceptance, Asker, Invitation, OperatorStore } from "../../store/port.ts";
import { hashToken, makeToken } from "../token.ts";
import type { PasswordRefusal } from "./password-rules.ts";
import type { PasswordTurns } from "./password-turns.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** The link of the first start stands on a terminal: it is used at once, or made anew. */
const firstLifetimeMs = dayMs;
const lifetimeMs = 7 * dayMs;

export type MadeInvitation = {
  id: number;
  /** Shown this once. */
  token: string;
  expiresAtMs: number;
};

export type Invitations = {
  /** @param inviter operator's id; null: the command line */
  invite(
    invitation: { projectId: number; role: Role; email: string | null },
    inviter: number | null,
    asker: Asker,
  ): Promise<MadeInvitation>;
  /** For the owner of a project that has nobody yet: null if there is an operator. Ends those that were made before. */
  inviteFirst(projectId: number): Promise<string | null>;
  /** Null if it was used, was withdrawn, or has expired. */
  look(token: string): Promise<Invitation | null>;
  /** @throws NoTurnLeft */
  accept(
    token: string,
    who: { email: string; name: string; password: string } | { operatorId: number },
    address: string,
  ): Promise<Acceptance | { kind: PasswordRefusal }>;
  /** Of a project, the newest first. */
  list(projectId: number): Promise<Invitation[]>;
  withdraw(projectId: number, id: number, asker: Asker): Promise<boolean>;
};

/** Links that make somebody an operator, each once. */
export function createInvitations({
  store,
  hashNew,
  turns,
  randomBytes,
  now,
}: {
  store: OperatorStore;
  /** Of a password that may be set. */
  hashNew: (
    password: string,
    email: string,
  ) => Promise<{ passwordHash: string } | { kind: PasswordRefusal }>;
  turns: Pick<PasswordTurns, "known">;
  randomBytes: (count: number) => Uint8Array;
  now: () => number;
}): Invitations {
  return {
    async invite({ projectId, role, email }, inviter, asker) {
      const { token, tokenHash } = makeToken(randomBytes);
      const nowMs = now();
      const expiresAtMs = nowMs + lifetimeMs;
      const id = await store.invite(
        { projectId, role, email, tokenHash, invitedBy: inviter, expiresAtMs },
        {
          ...asker,
          projectId,
          action: "invitation.created",
          subject: email ?? "",
          change: { role, expiresAt: new Date(expiresAtMs).toISOString() },
        },
        nowMs,
      );
      return { id, token, expiresAtMs };
    },

    async inviteFirst(projectId) {
      const { token, tokenHash } = makeToken(randomBytes);
      const nowMs = now();
      const expiresAtMs = nowMs + firstLifetimeMs;
      const made = await store.inviteFirst(
        { projectId, tokenHash, expiresAtMs },
        {
          actor: { kind: "server", name: "" },
          address: null,
          projectId,
          action: "invitation.created",
          subject: "",
          change: { role: "owner", expiresAt: new Date(expiresAtMs).toISOString() },
        },
        nowMs,
      );
      return made ? token : null;
    },

    look: (token) => store.findInvitation(hashToken(token), now()),

    async accept(token, who, address) {
      const tokenHash = hashToken(token);
      if ("operatorId" in who) return store.accept(tokenHash, who, { address }, now());
      // Before anything is hashed: whoever has no invitation costs nothing.
      const invitation = await store.findInvitation(tokenHash, now());
      if (invitation === null) return { kind: "invitation-gone" };
      const { id, email } = invitation;
      if (email !== null && email !== who.email) return { kind: "invitation-for-another" };
      const hashed = await turns.known(`invitation ${id}`, () => hashNew(who.password, who.email));
      if ("kind" in hashed) return hashed;
      return store.accept(tokenHash, { ...who, ...hashed }, { address }, now());
    },

    list: (projectId) => store.invitations(projectId, now()),

    withdraw: (projectId, id, asker) =>
      store.withdrawInvitation(
        projectId,
        id,
        {
          ...asker,
          projectId,
          action: "invitation.withdrawn",
          subject: String(id),
          change: null,
        },
        now(),
      ),
  };
}

/** Where the console takes the token from. It stands behind #, which browsers send to nobody. @param base ends in a slash */
export function invitationLink(base: string, token: string): string {
  return `${base}painel/convite#${token}`;
}
