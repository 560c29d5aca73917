import { describe, expect, test } from "vitest";
import type { Role } from "@sineta/protocol";
import type { AuditEntry, NewInvitation } from "../port.ts";
import type { ContractBench } from "./bench.ts";

const hash = (byte: number) => Buffer.alloc(32, byte);

const audited: AuditEntry = {
  actor: { kind: "command-line", name: "root" },
  address: null,
  projectId: null,
  action: "operator.changed",
  subject: "somebody",
  change: null,
};

export function operatorContract(bench: () => ContractBench): void {
  const operators = () => bench().store.operators;
  const add = async (name: string, role: Role = "owner", projectId = bench().projectId) => {
    const operator = { email: `${name}@site.example`, name, passwordHash: `hash of ${name}` };
    const id = await operators().add(operator, { projectId, role }, audited, 5);
    if (id === null) throw new Error("there is such an operator");
    return id;
  };
  const logIn = (operatorId: number, byte: number) =>
    bench().store.sessions.start(
      { operatorId, tokenHash: hash(byte), expiresAtMs: 1000, address: "", userAgent: "" },
      audited,
      6,
    );
  const isLoggedIn = async (byte: number) =>
    (await bench().store.sessions.find(hash(byte), { nowMs: 6, usedSinceMs: 0 })) !== null;
  const invite = (byte: number, over: Partial<NewInvitation> = {}, nowMs = 5) =>
    operators().invite(
      {
        projectId: bench().projectId,
        role: "editor",
        email: null,
        tokenHash: hash(byte),
        invitedBy: null,
        expiresAtMs: 100,
        ...over,
      },
      audited,
      nowMs,
    );
  const accept = (byte: number, who: { name: string } | { operatorId: number }, nowMs = 6) =>
    operators().accept(
      hash(byte),
      "name" in who
        ? { email: `${who.name}@site.example`, name: who.name, passwordHash: "hash" }
        : who,
      { address: "192.0.2.7" },
      nowMs,
    );
  const inviteFirst = (byte: number) =>
    operators().inviteFirst(
      { projectId: ownProject(), tokenHash: hash(byte), expiresAtMs: 100 },
      audited,
      5,
    );
  const rolesOf = async (id: number) => (await operators().rolesOf(id)).map(({ role }) => role);
  /** All that log-in may ask for besides the password. */
  async function giveFactors(id: number, byte: number): Promise<void> {
    const { secondFactors, passkeys } = bench().store;
    const sealedSecret = Buffer.from(`sealed ${byte}`);
    await secondFactors.offerTotp(id, sealedSecret);
    const confirmed = { sealedSecret, step: 1, recoveryCodeHashes: [hash(byte)] };
    await secondFactors.confirmTotp(id, confirmed, audited, 6);
    const credential = { credentialId: hash(byte), publicKey: hash(byte), counter: 0 };
    const passkey = { operatorId: id, ...credential, transports: [], name: "key" };
    await passkeys.addPasskey(passkey, 10, audited, 6);
  }
  const ownProject = () => bench().projectId;
  /** Lines of the audit that the calls have written. */
  const lines = async () => {
    const { audit } = bench().store;
    return audit.list([null, ownProject()], { limit: 100 });
  };
  /** Runs it, and tells how many lines it has left. */
  async function linesOf(work: () => Promise<unknown>): Promise<number> {
    const before = (await lines()).length;
    await work();
    return (await lines()).length - before;
  }

  describe("operators", () => {
    test("are found by address and id, after a restart too, with roles by project", async () => {
      const id = await add("ana");
      const other = await bench().store.projects.ensure("other", 1);
      await add("bia", "viewer", other.id);
      await bench().reopen();
      const ana = await operators().findByEmail("ana@site.example");
      expect(ana).toEqual({
        id,
        email: "ana@site.example",
        name: "ana",
        createdAtMs: 5,
        lastLoginAtMs: null,
        passwordHash: "hash of ana",
        sealedTotpSecret: null,
        passkeys: 0,
      });
      expect(await operators().findById(id)).toEqual(ana);
      expect(await operators().findByEmail("Ana@site.example")).toBeNull();
      expect(await operators().findById(id + 7)).toBeNull();
      expect(await operators().rolesOf(id)).toEqual([{ projectId: ownProject(), role: "owner" }]);
      expect(await operators().count()).toBe(2);
      expect((await operators().list(ownProject())).map(({ email }) => email)).toEqual([
        "ana@site.example",
      ]);
      expect((await operators().listAll()).map(({ name }) => name)).toEqual(["ana", "bia"]);
    });

    test("have an address of their own", async () => {
      await add("ana");
      const again = { email: "ana@site.example", name: "x", passwordHash: "y" };
      const role = { projectId: ownProject(), role: "owner" } as const;
      let added: number | null = 0;
      const written = await linesOf(async () => {
        added = await operators().add(again, role, audited, 9);
      });
      expect({ added, written }).toEqual({ added: null, written: 0 });
      expect(await operators().findByEmail("ana@site.example")).toMatchObject({ name: "ana" });
    });

    test("are listed with role and whether log-in asks for more", async () => {
      await add("bia", "viewer");
      await add("ana");
      expect(await operators().list(ownProject())).toEqual([
        {
          id: expect.any(Number),
          email: "ana@site.example",
          name: "ana",
          createdAtMs: 5,
          lastLoginAtMs: null,
          role: "owner",
          hasSecondFactor: false,
        },
        expect.objectContaining({ name: "bia", role: "viewer" }),
      ]);
    });

    test("the last owner of a project stays one; others come and go", async () => {
      const [ana, bia] = [await add("ana"), await add("bia", "editor")];
      const demote = (id: number, role: Role) =>
        operators().setRole(id, { projectId: ownProject(), role }, audited, 9);
      expect(await linesOf(() => demote(ana, "viewer"))).toBe(0);
      expect(await demote(ana, "viewer")).toBe("last-owner");
      expect(await operators().removeRole(ana, ownProject(), audited, 9)).toBe("last-owner");
      expect(await operators().remove(ana, audited, 9)).toBe("last-owner");
      expect(await rolesOf(ana)).toEqual(["owner"]);
      // An owner of another project is none of this one.
      const other = await bench().store.projects.ensure("other", 1);
      await add("eva", "owner", other.id);
      expect(await demote(ana, "editor")).toBe("last-owner");

      expect(await linesOf(() => demote(bia, "owner"))).toBe(1);
      expect(await rolesOf(bia)).toEqual(["owner"]);
      expect(await demote(ana, "editor")).toBe("changed");
      expect(await operators().removeRole(ana, ownProject(), audited, 9)).toBe("changed");
      expect(await rolesOf(ana)).toEqual([]);
      expect(await demote(bia, "viewer")).toBe("last-owner");
      expect(await demote(ana, "owner")).toBe("not-found");
      expect(await operators().removeRole(ana, ownProject(), audited, 9)).toBe("not-found");
      expect(await operators().remove(999, audited, 9)).toBe("not-found");
    });

    test("two owners who demote each other at once: one stays", async () => {
      const [ana, bia] = [await add("ana"), await add("bia")];
      const role = { projectId: ownProject(), role: "viewer" } as const;
      const results = await Promise.all([
        operators().setRole(ana, role, audited, 9),
        operators().setRole(bia, role, audited, 9),
      ]);
      expect(results.toSorted()).toEqual(["changed", "last-owner"]);
    });

    test("who has no role left is logged out; who has another one is not", async () => {
      await add("ana");
      const [bia, eva] = [await add("bia", "editor"), await add("eva", "editor")];
      const other = await bench().store.projects.ensure("other", 1);
      await invite(1, { projectId: other.id });
      await accept(1, { operatorId: eva });
      await logIn(bia, 11);
      await logIn(eva, 12);
      await operators().removeRole(bia, ownProject(), audited, 9);
      await operators().removeRole(eva, ownProject(), audited, 9);
      expect([await isLoggedIn(11), await isLoggedIn(12)]).toEqual([false, true]);
    });

    test("a new password ends all sessions but one", async () => {
      const [ana, bia] = [await add("ana"), await add("bia")];
      await logIn(ana, 11);
      const kept = await logIn(ana, 12);
      await logIn(bia, 13);
      expect(await operators().setPassword(ana, "new", kept, audited, 9)).toBe(true);
      expect(await Promise.all([11, 12, 13].map(isLoggedIn))).toEqual([false, true, true]);
      expect(await operators().findById(ana)).toMatchObject({ passwordHash: "new" });
      expect(await operators().setPassword(ana, "newer", null, audited, 9)).toBe(true);
      expect(await isLoggedIn(12)).toBe(false);
      expect(await operators().setPassword(999, "new", null, audited, 9)).toBe(false);
    });

    test("a hash made anew takes the place of the one it was made from, and of no other", async () => {
      const id = await add("ana");
      await logIn(id, 11);
      expect(await operators().rehash(id, { from: "another", to: "new" })).toBe(false);
      expect(await operators().rehash(id, { from: "hash of ana", to: "new" })).toBe(true);
      expect(await operators().findById(id)).toMatchObject({ passwordHash: "new" });
      expect(await isLoggedIn(11)).toBe(true);
    });

    test("a second factor counts once its owner has shown a code", async () => {
      const id = await add("ana");
      const { secondFactors } = bench().store;
      await secondFactors.offerTotp(id, Buffer.from("sealed"));
      expect(await operators().findById(id)).toMatchObject({ sealedTotpSecret: null });
      await giveFactors(id, 7);
      const ana = await operators().findByEmail("ana@site.example");
      expect(ana?.sealedTotpSecret).toEqual(Uint8Array.from(Buffer.from("sealed 7")));
      expect(ana?.passkeys).toBe(1);
      expect(await operators().list(ownProject())).toMatchObject([{ hasSecondFactor: true }]);
    });

    test("who is recovered has a new password and nothing else; others keep all", async () => {
      const [ana, bia] = [await add("ana"), await add("bia")];
      await logIn(ana, 11);
      await logIn(bia, 12);
      await giveFactors(ana, 1);
      await giveFactors(bia, 2);
      expect(await linesOf(() => operators().recover(ana, "new", audited, 9))).toBe(1);
      expect(await operators().findById(ana)).toMatchObject({
        passwordHash: "new",
        sealedTotpSecret: null,
        passkeys: 0,
      });
      const { secondFactors } = bench().store;
      expect(await secondFactors.recoveryCodesLeft(ana)).toBe(0);
      expect(await operators().findById(bia)).toMatchObject({
        passwordHash: "hash of bia",
        sealedTotpSecret: expect.any(Uint8Array),
        passkeys: 1,
      });
      expect(await secondFactors.recoveryCodesLeft(bia)).toBe(1);
      expect([await isLoggedIn(11), await isLoggedIn(12)]).toEqual([false, true]);
      expect(await operators().recover(999, "new", audited, 9)).toBe(false);
    });

    test("who is removed is gone with sessions and invitations", async () => {
      const [ana] = [await add("ana"), await add("bia")];
      await logIn(ana, 11);
      await invite(1, { invitedBy: ana });
      expect(await operators().remove(ana, audited, 9)).toBe("changed");
      expect(await operators().findById(ana)).toBeNull();
      expect(await isLoggedIn(11)).toBe(false);
      expect(await operators().findInvitation(hash(1), 6)).toBeNull();
      expect(await operators().count()).toBe(1);
    });
  });

  describe("invitations", () => {
    test("are found by their hash until they expire; listed, the newest first", async () => {
      const ana = await add("ana");
      const first = await invite(1, { invitedBy: ana, email: "bia@site.example" });
      const second = await invite(2, { role: "owner", expiresAtMs: 50 });
      await bench().reopen();
      expect(await operators().findInvitation(hash(1), 99)).toEqual({
        id: first,
        projectId: ownProject(),
        role: "editor",
        email: "bia@site.example",
        invitedBy: "ana@site.example",
        createdAtMs: 5,
        expiresAtMs: 100,
      });
      expect(await operators().findInvitation(hash(1), 100)).toBeNull();
      const ids = async (nowMs: number) =>
        (await operators().invitations(ownProject(), nowMs)).map(({ id }) => id);
      expect(await ids(6)).toEqual([second, first]);
      expect(await ids(50)).toEqual([first]);
      expect(await operators().invitations(ownProject() + 1, 6)).toEqual([]);
    });

    test("make an operator once, and leave a line that says from where", async () => {
      await add("ana");
      const id = await invite(1);
      const result = await accept(1, { name: "bia" });
      expect(result).toEqual({
        kind: "accepted",
        operatorId: expect.any(Number),
        email: "bia@site.example",
      });
      expect(await operators().findByEmail("bia@site.example")).toMatchObject({ createdAtMs: 6 });
      expect((await lines())[0]).toMatchObject({
        projectId: ownProject(),
        actor: { kind: "operator", name: "bia@site.example" },
        address: "192.0.2.7",
        action: "invitation.accepted",
        subject: "bia@site.example",
        change: { invitation: id, role: "editor", invitedBy: null },
      });
      expect(await accept(1, { name: "eva" })).toEqual({ kind: "invitation-gone" });
      expect(await operators().findByEmail("eva@site.example")).toBeNull();
    });

    test("two who open the same link at once: one gets in", async () => {
      await invite(1);
      const results = await Promise.all([accept(1, { name: "bia" }), accept(1, { name: "eva" })]);
      expect(results.map(({ kind }) => kind).toSorted()).toEqual(["accepted", "invitation-gone"]);
      expect(await operators().count()).toBe(1);
    });

    test("that are withdrawn, expired or another one's open nothing", async () => {
      await add("ana");
      const id = await invite(1);
      const withdraw = (projectId: number) =>
        operators().withdrawInvitation(projectId, id, audited, 6);
      expect(await withdraw(ownProject() + 1)).toBe(false);
      expect(await linesOf(() => withdraw(ownProject()))).toBe(1);
      expect(await linesOf(() => withdraw(ownProject()))).toBe(0);
      expect(await accept(1, { name: "bia" })).toEqual({ kind: "invitation-gone" });
      await invite(2);
      expect(await accept(2, { name: "bia" }, 100)).toEqual({ kind: "invitation-gone" });
      await invite(3, { email: "eva@site.example" });
      expect(await accept(3, { name: "bia" })).toEqual({ kind: "invitation-for-another" });
      expect(await operators().count()).toBe(1);
      expect(await accept(3, { name: "eva" })).toMatchObject({ kind: "accepted" });
    });

    test("for an address that somebody has stay open, for them to take when logged in", async () => {
      const ana = await add("ana", "viewer");
      await invite(1);
      expect(await accept(1, { name: "ana" })).toEqual({ kind: "email-taken" });
      expect(await operators().findById(ana)).toMatchObject({ passwordHash: "hash of ana" });
      expect(await accept(1, { operatorId: ana })).toMatchObject({ kind: "accepted" });
      expect(await rolesOf(ana)).toEqual(["editor"]);
      expect(await operators().findById(ana)).toMatchObject({ passwordHash: "hash of ana" });
      await invite(2, { email: "bia@site.example" });
      expect(await accept(2, { operatorId: ana })).toEqual({ kind: "invitation-for-another" });
      expect(await accept(2, { operatorId: 999 })).toEqual({ kind: "invitation-gone" });
    });

    test("take nothing away from one who may do more already", async () => {
      const ana = await add("ana");
      await invite(1, { role: "viewer" });
      expect(await accept(1, { operatorId: ana })).toMatchObject({ kind: "accepted" });
      expect(await rolesOf(ana)).toEqual(["owner"]);
    });

    test("end with the ownership of whoever made them", async () => {
      const [ana, bia] = [await add("ana"), await add("bia")];
      await invite(1, { invitedBy: ana });
      await invite(2, { invitedBy: bia });
      await operators().setRole(ana, { projectId: ownProject(), role: "editor" }, audited, 6);
      expect(await operators().findInvitation(hash(1), 6)).toBeNull();
      expect(await operators().findInvitation(hash(2), 6)).not.toBeNull();
      await add("eva");
      await operators().removeRole(bia, ownProject(), audited, 6);
      expect(await operators().findInvitation(hash(2), 6)).toBeNull();
    });
  });

  describe("the invitation of the first start", () => {
    test("makes an owner; a later one ends it, and other invitations stay", async () => {
      await invite(9);
      expect(await inviteFirst(1)).toBe(true);
      expect(await inviteFirst(2)).toBe(true);
      expect(await accept(1, { name: "ana" })).toEqual({ kind: "invitation-gone" });
      expect(await accept(2, { name: "ana" })).toMatchObject({ kind: "accepted" });
      const ana = await operators().findByEmail("ana@site.example");
      expect(await rolesOf(ana?.id ?? 0)).toEqual(["owner"]);
      expect(await operators().findInvitation(hash(9), 6)).not.toBeNull();
    });

    test("is not made where there is an operator, and leaves no line then", async () => {
      await add("ana", "viewer");
      expect(await linesOf(() => inviteFirst(1))).toBe(0);
      expect(await operators().findInvitation(hash(1), 6)).toBeNull();
    });

    test("ends once somebody became an operator in another way", async () => {
      await inviteFirst(1);
      await add("ana");
      expect(await accept(1, { name: "bia" })).toEqual({ kind: "invitation-gone" });
    });

    test("ends once somebody took another invitation", async () => {
      await inviteFirst(1);
      await invite(2);
      await accept(2, { name: "ana" });
      expect(await accept(1, { name: "bia" })).toEqual({ kind: "invitation-gone" });
    });
  });
}
