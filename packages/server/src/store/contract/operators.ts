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
  async function logIn(operatorId: number, byte: number): Promise<number> {
    const id = await bench().store.sessions.start(
      null,
      { operatorId, tokenHash: hash(byte), expiresAtMs: 1000, address: "", userAgent: "" },
      50,
      audited,
      6,
    );
    if (id === null) throw new Error("the session did not begin");
    return id;
  }
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
    await secondFactors.confirmTotp(id, confirmed, null, audited, 6);
    const credential = { credentialId: hash(byte), publicKey: hash(byte), counter: 0 };
    const passkey = { operatorId: id, ...credential, transports: [], name: "key", rpId: null };
    await passkeys.addPasskey(passkey, 10, null, audited, 6);
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
      const id = await add("baker");
      const other = await bench().store.projects.ensure("other", 1);
      await add("florist", "viewer", other.id);
      await bench().reopen();
      const baker = await operators().findByEmail("baker@site.example");
      expect(baker).toEqual({
        id,
        email: "baker@site.example",
        name: "baker",
        createdAtMs: 5,
        lastLoginAtMs: null,
        passwordHash: "hash of baker",
        sealedTotpSecret: null,
        passkeys: 0,
      });
      expect(await operators().findById(id)).toEqual(baker);
      expect(await operators().findByEmail("Baker@site.example")).toBeNull();
      expect(await operators().findById(id + 7)).toBeNull();
      expect(await operators().rolesOf(id)).toEqual([{ projectId: ownProject(), role: "owner" }]);
      expect(await operators().count()).toBe(2);
      expect((await operators().list(ownProject())).map(({ email }) => email)).toEqual([
        "baker@site.example",
      ]);
      expect((await operators().listAll()).map(({ name }) => name)).toEqual(["baker", "florist"]);
    });

    test("have an address of their own", async () => {
      await add("baker");
      const again = { email: "baker@site.example", name: "x", passwordHash: "y" };
      const role = { projectId: ownProject(), role: "owner" } as const;
      let added: number | null = 0;
      const written = await linesOf(async () => {
        added = await operators().add(again, role, audited, 9);
      });
      expect({ added, written }).toEqual({ added: null, written: 0 });
      expect(await operators().findByEmail("baker@site.example")).toMatchObject({ name: "baker" });
    });

    test("are listed with role and whether log-in asks for more", async () => {
      await add("florist", "viewer");
      await add("baker");
      expect(await operators().list(ownProject())).toEqual([
        {
          id: expect.any(Number),
          email: "baker@site.example",
          name: "baker",
          createdAtMs: 5,
          lastLoginAtMs: null,
          role: "owner",
          hasSecondFactor: false,
        },
        expect.objectContaining({ name: "florist", role: "viewer" }),
      ]);
    });

    test("the last owner of a project stays one; others come and go", async () => {
      const [baker, florist] = [await add("baker"), await add("florist", "editor")];
      const demote = (id: number, role: Role) =>
        operators().setRole(id, { projectId: ownProject(), role }, audited, 9);
      expect(await linesOf(() => demote(baker, "viewer"))).toBe(0);
      expect(await demote(baker, "viewer")).toBe("last-owner");
      expect(await operators().removeRole(baker, ownProject(), audited, 9)).toBe("last-owner");
      expect(await operators().remove(baker, audited, 9)).toBe("last-owner");
      expect(await rolesOf(baker)).toEqual(["owner"]);
      // An owner of another project is none of this one.
      const other = await bench().store.projects.ensure("other", 1);
      await add("grocer", "owner", other.id);
      expect(await demote(baker, "editor")).toBe("last-owner");

      expect(await linesOf(() => demote(florist, "owner"))).toBe(1);
      expect(await rolesOf(florist)).toEqual(["owner"]);
      expect(await demote(baker, "editor")).toBe("changed");
      expect(await operators().removeRole(baker, ownProject(), audited, 9)).toBe("changed");
      expect(await rolesOf(baker)).toEqual([]);
      expect(await demote(florist, "viewer")).toBe("last-owner");
      expect(await demote(baker, "owner")).toBe("not-found");
      expect(await operators().removeRole(baker, ownProject(), audited, 9)).toBe("not-found");
      expect(await operators().remove(999, audited, 9)).toBe("not-found");
    });

    test("two owners who demote each other at once: one stays", async () => {
      const [baker, florist] = [await add("baker"), await add("florist")];
      const role = { projectId: ownProject(), role: "viewer" } as const;
      const results = await Promise.all([
        operators().setRole(baker, role, audited, 9),
        operators().setRole(florist, role, audited, 9),
      ]);
      expect(results.toSorted()).toEqual(["changed", "last-owner"]);
    });

    test("who has no role left is logged out; who has another one is not", async () => {
      await add("baker");
      const [florist, grocer] = [await add("florist", "editor"), await add("grocer", "editor")];
      const other = await bench().store.projects.ensure("other", 1);
      await invite(1, { projectId: other.id });
      await accept(1, { operatorId: grocer });
      await logIn(florist, 11);
      await logIn(grocer, 12);
      await operators().removeRole(florist, ownProject(), audited, 9);
      await operators().removeRole(grocer, ownProject(), audited, 9);
      expect([await isLoggedIn(11), await isLoggedIn(12)]).toEqual([false, true]);
    });

    test("a new password ends all sessions but one", async () => {
      const [baker, florist] = [await add("baker"), await add("florist")];
      await logIn(baker, 11);
      const kept = await logIn(baker, 12);
      await logIn(florist, 13);
      const set = (id: number, from: string, to: string, session: number) =>
        operators().setPassword(id, { from, to }, session, audited, 9);
      expect(await set(baker, "hash of baker", "new", kept)).toBe(true);
      expect(await Promise.all([11, 12, 13].map(isLoggedIn))).toEqual([false, true, true]);
      expect(await operators().findById(baker)).toMatchObject({ passwordHash: "new" });
      expect(await set(999, "new", "newer", kept)).toBe(false);
    });

    test("a new password is set by nobody whose password or session is another one meanwhile", async () => {
      const [baker, florist] = [await add("baker"), await add("florist")];
      const [own, others] = [await logIn(baker, 11), await logIn(florist, 12)];
      const set = (from: string, session: number) =>
        operators().setPassword(baker, { from, to: "new" }, session, audited, 9);
      expect(await set("hash of baker", others)).toBe(false);
      expect(await set("hash of florist", own)).toBe(false);
      await operators().recover(baker, "recovered", audited, 7);
      expect(await set("hash of baker", own)).toBe(false);
      expect(await set("recovered", own)).toBe(false);
      expect(await operators().findById(baker)).toMatchObject({ passwordHash: "recovered" });
    });

    test("a hash made anew takes the place of the one it was made from, and of no other", async () => {
      const id = await add("baker");
      await logIn(id, 11);
      expect(await operators().rehash(id, { from: "another", to: "new" })).toBe(false);
      expect(await operators().rehash(id, { from: "hash of baker", to: "new" })).toBe(true);
      expect(await operators().findById(id)).toMatchObject({ passwordHash: "new" });
      expect(await isLoggedIn(11)).toBe(true);
    });

    test("a second factor counts once its owner has shown a code", async () => {
      const id = await add("baker");
      const { secondFactors } = bench().store;
      await secondFactors.offerTotp(id, Buffer.from("sealed"));
      expect(await operators().findById(id)).toMatchObject({ sealedTotpSecret: null });
      await giveFactors(id, 7);
      const baker = await operators().findByEmail("baker@site.example");
      expect(baker?.sealedTotpSecret).toEqual(Uint8Array.from(Buffer.from("sealed 7")));
      expect(baker?.passkeys).toBe(1);
      expect(await operators().list(ownProject())).toMatchObject([{ hasSecondFactor: true }]);
    });

    test("who is recovered has a new password and nothing else; others keep all", async () => {
      const [baker, florist] = [await add("baker"), await add("florist")];
      await giveFactors(baker, 1);
      await giveFactors(florist, 2);
      await logIn(baker, 11);
      await logIn(florist, 12);
      expect(await linesOf(() => operators().recover(baker, "new", audited, 9))).toBe(1);
      expect(await operators().findById(baker)).toMatchObject({
        passwordHash: "new",
        sealedTotpSecret: null,
        passkeys: 0,
      });
      const { secondFactors } = bench().store;
      expect(await secondFactors.recoveryCodesLeft(baker)).toBe(0);
      expect(await operators().findById(florist)).toMatchObject({
        passwordHash: "hash of florist",
        sealedTotpSecret: expect.any(Uint8Array),
        passkeys: 1,
      });
      expect(await secondFactors.recoveryCodesLeft(florist)).toBe(1);
      expect([await isLoggedIn(11), await isLoggedIn(12)]).toEqual([false, true]);
      expect(await operators().recover(999, "new", audited, 9)).toBe(false);
    });

    test("who is removed is gone with sessions and invitations", async () => {
      const [baker] = [await add("baker"), await add("florist")];
      await logIn(baker, 11);
      await invite(1, { invitedBy: baker });
      expect(await operators().remove(baker, audited, 9)).toBe("changed");
      expect(await operators().findById(baker)).toBeNull();
      expect(await isLoggedIn(11)).toBe(false);
      expect(await operators().findInvitation(hash(1), 6)).toBeNull();
      expect(await operators().count()).toBe(1);
    });
  });

  describe("invitations", () => {
    test("are found by their hash until they expire; listed, the newest first", async () => {
      const baker = await add("baker");
      const first = await invite(1, { invitedBy: baker, email: "florist@site.example" });
      const second = await invite(2, { role: "owner", expiresAtMs: 50 });
      await bench().reopen();
      expect(await operators().findInvitation(hash(1), 99)).toEqual({
        id: first,
        projectId: ownProject(),
        role: "editor",
        email: "florist@site.example",
        invitedBy: "baker@site.example",
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
      await add("baker");
      const id = await invite(1);
      const result = await accept(1, { name: "florist" });
      expect(result).toEqual({
        kind: "accepted",
        operatorId: expect.any(Number),
        email: "florist@site.example",
      });
      expect(await operators().findByEmail("florist@site.example")).toMatchObject({
        createdAtMs: 6,
      });
      expect((await lines())[0]).toMatchObject({
        projectId: ownProject(),
        actor: { kind: "operator", name: "florist@site.example" },
        address: "192.0.2.7",
        action: "invitation.accepted",
        subject: "florist@site.example",
        change: { invitation: id, role: "editor", invitedBy: null },
      });
      expect(await accept(1, { name: "grocer" })).toEqual({ kind: "invitation-gone" });
      expect(await operators().findByEmail("grocer@site.example")).toBeNull();
    });

    test("two who open the same link at once: one gets in", async () => {
      await invite(1);
      const results = await Promise.all([
        accept(1, { name: "florist" }),
        accept(1, { name: "grocer" }),
      ]);
      expect(results.map(({ kind }) => kind).toSorted()).toEqual(["accepted", "invitation-gone"]);
      expect(await operators().count()).toBe(1);
    });

    test("that are withdrawn, expired or another one's open nothing", async () => {
      await add("baker");
      const id = await invite(1);
      const withdraw = (projectId: number) =>
        operators().withdrawInvitation(projectId, id, audited, 6);
      expect(await withdraw(ownProject() + 1)).toBe(false);
      expect(await linesOf(() => withdraw(ownProject()))).toBe(1);
      expect(await linesOf(() => withdraw(ownProject()))).toBe(0);
      expect(await accept(1, { name: "florist" })).toEqual({ kind: "invitation-gone" });
      await invite(2);
      expect(await accept(2, { name: "florist" }, 100)).toEqual({ kind: "invitation-gone" });
      await invite(3, { email: "grocer@site.example" });
      expect(await accept(3, { name: "florist" })).toEqual({ kind: "invitation-for-another" });
      expect(await operators().count()).toBe(1);
      expect(await accept(3, { name: "grocer" })).toMatchObject({ kind: "accepted" });
    });

    test("for nobody in particular end when five addresses were tried that somebody has, with a line", async () => {
      await add("baker", "viewer");
      await invite(1);
      await invite(2, { email: "baker@site.example" });
      for (let times = 0; times < 5; times += 1) {
        expect(await accept(1, { name: "baker" })).toEqual({ kind: "email-taken" });
        expect(await accept(2, { name: "baker" })).toEqual({ kind: "email-taken" });
      }
      expect(await accept(1, { name: "florist" })).toEqual({ kind: "invitation-gone" });
      // It tells of nobody but whom it is for.
      expect(await accept(2, { name: "baker" })).toEqual({ kind: "email-taken" });
      const [line] = await bench().store.audit.list([ownProject()], { limit: 1 });
      expect(line).toMatchObject({
        actor: { kind: "nobody" },
        action: "invitation.withdrawn",
        change: { reason: "too-many-tries" },
      });
    });

    test("for an address that somebody has stay open, for them to take when logged in", async () => {
      const baker = await add("baker", "viewer");
      await invite(1);
      expect(await accept(1, { name: "baker" })).toEqual({ kind: "email-taken" });
      expect(await operators().findById(baker)).toMatchObject({ passwordHash: "hash of baker" });
      expect(await accept(1, { operatorId: baker })).toMatchObject({ kind: "accepted" });
      expect(await rolesOf(baker)).toEqual(["editor"]);
      expect(await operators().findById(baker)).toMatchObject({ passwordHash: "hash of baker" });
      await invite(2, { email: "florist@site.example" });
      expect(await accept(2, { operatorId: baker })).toEqual({ kind: "invitation-for-another" });
      expect(await accept(2, { operatorId: 999 })).toEqual({ kind: "invitation-gone" });
    });

    test("take nothing away from one who may do more already", async () => {
      const baker = await add("baker");
      await invite(1, { role: "viewer" });
      expect(await accept(1, { operatorId: baker })).toMatchObject({ kind: "accepted" });
      expect(await rolesOf(baker)).toEqual(["owner"]);
    });

    test("end with the ownership of whoever made them", async () => {
      const [baker, florist] = [await add("baker"), await add("florist")];
      await invite(1, { invitedBy: baker });
      await invite(2, { invitedBy: florist });
      await operators().setRole(baker, { projectId: ownProject(), role: "editor" }, audited, 6);
      expect(await operators().findInvitation(hash(1), 6)).toBeNull();
      expect(await operators().findInvitation(hash(2), 6)).not.toBeNull();
      await add("grocer");
      await operators().removeRole(florist, ownProject(), audited, 6);
      expect(await operators().findInvitation(hash(2), 6)).toBeNull();
    });
  });

  describe("the invitation of the first start", () => {
    test("makes an owner; a later one ends it, and other invitations stay", async () => {
      await invite(9);
      expect(await inviteFirst(1)).toBe(true);
      expect(await inviteFirst(2)).toBe(true);
      expect(await accept(1, { name: "baker" })).toEqual({ kind: "invitation-gone" });
      expect(await accept(2, { name: "baker" })).toMatchObject({ kind: "accepted" });
      const baker = await operators().findByEmail("baker@site.example");
      expect(await rolesOf(baker?.id ?? 0)).toEqual(["owner"]);
      expect(await operators().findInvitation(hash(9), 6)).not.toBeNull();
    });

    test("is not made where there is an operator, and leaves no line then", async () => {
      await add("baker", "viewer");
      expect(await linesOf(() => inviteFirst(1))).toBe(0);
      expect(await operators().findInvitation(hash(1), 6)).toBeNull();
    });

    test("ends once somebody became an operator in another way", async () => {
      await inviteFirst(1);
      await add("baker");
      expect(await accept(1, { name: "florist" })).toEqual({ kind: "invitation-gone" });
    });

    test("ends once somebody took another invitation", async () => {
      await inviteFirst(1);
      await invite(2);
      await accept(2, { name: "baker" });
      expect(await accept(1, { name: "florist" })).toEqual({ kind: "invitation-gone" });
    });
  });
}
