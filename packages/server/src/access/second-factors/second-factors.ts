import { totpSecretLabel } from "../../secrets/labels.ts";
import type { Vault } from "../../secrets/vault.ts";
import type {
  Asker,
  OperatorCredentials,
  OperatorStore,
  SecondFactorStore,
} from "../../store/port.ts";
import type { Self } from "../caller.ts";
import { hashRecoveryCode, makeRecoveryCodes } from "./recovery-codes.ts";
import { makeTotpSecret, showTotpSecret, totpStep } from "./totp.ts";

export type SecondFactorKind = "totp" | "recovery-code";

/** What changes them ends all other sessions of the operator. */
export type SecondFactors = {
  /** A new TOTP secret that log-in does not ask for yet. Null if there is one that it asks for. */
  offer(operator: { id: number; email: string }): Promise<{ secret: string; uri: string } | null>;
  /** Shows that the application has the secret: from now on log-in asks for codes. Gives recovery codes, this once. */
  confirm(
    self: Self,
    code: string,
    asker: Asker,
  ): Promise<{ recoveryCodes: string[] } | "second-factor-absent" | "code-wrong">;
  /** Which second factor of this operator was given; null if it is none, or was taken before. */
  check(
    operator: Pick<OperatorCredentials, "id" | "sealedTotpSecret">,
    given: string,
  ): Promise<SecondFactorKind | null>;
  /** From now on the password is enough. */
  remove(
    self: Self,
    given: string,
    asker: Asker,
  ): Promise<"removed" | "second-factor-absent" | "code-wrong">;
  /** In place of those there are; shown this once. Null if there is no second factor. */
  replaceRecoveryCodes(self: Self, asker: Asker): Promise<string[] | null>;
  /** Null if there is no second factor. */
  recoveryCodesLeft(operatorId: number): Promise<number | null>;
};

/** Codes of an authenticator application, and recovery codes for whoever has lost it. */
export function createSecondFactors({
  store,
  operators,
  vault,
  issuer,
  randomBytes,
  now,
}: {
  store: SecondFactorStore;
  operators: Pick<OperatorStore, "findById">;
  vault: Pick<Vault, "seal" | "open">;
  /** As the application names this server. */
  issuer: string;
  randomBytes: (count: number) => Uint8Array;
  now: () => number;
}): SecondFactors {
  function stepOf(operatorId: number, sealedSecret: Uint8Array, code: string): number | null {
    const secret = vault.open(totpSecretLabel(operatorId), sealedSecret);
    return totpStep(secret, code.replaceAll(/[\s-]/g, ""), now());
  }

  async function check(
    { id, sealedTotpSecret }: Pick<OperatorCredentials, "id" | "sealedTotpSecret">,
    given: string,
  ): Promise<SecondFactorKind | null> {
    if (sealedTotpSecret === null) return null;
    const step = stepOf(id, sealedTotpSecret, given);
    if (step !== null) return (await store.takeTotpStep(id, step)) ? "totp" : null;
    return (await store.takeRecoveryCode(id, hashRecoveryCode(given))) ? "recovery-code" : null;
  }

  return {
    async offer({ id, email }) {
      const secret = makeTotpSecret(randomBytes);
      const kept = await store.offerTotp(id, vault.seal(totpSecretLabel(id), secret));
      return kept ? showTotpSecret(secret, { issuer, account: email }) : null;
    },

    async confirm({ id: operatorId, sessionId }, code, asker) {
      const sealedSecret = await store.offeredTotp(operatorId);
      if (sealedSecret === null) return "second-factor-absent";
      const step = stepOf(operatorId, sealedSecret, code);
      if (step === null) return "code-wrong";
      const { recoveryCodes, hashes } = makeRecoveryCodes(randomBytes);
      const confirmed = await store.confirmTotp(
        operatorId,
        { sealedSecret, step, recoveryCodeHashes: hashes },
        sessionId,
        entryOf("second-factor.added", asker),
        now(),
      );
      return confirmed ? { recoveryCodes } : "second-factor-absent";
    },

    check,

    async remove({ id: operatorId, sessionId }, given, asker) {
      const operator = await operators.findById(operatorId);
      if (operator === null || operator.sealedTotpSecret === null) return "second-factor-absent";
      const kind = await check(operator, given);
      if (kind === null) return "code-wrong";
      const audit = { ...entryOf("second-factor.removed", asker), change: { with: kind } };
      const removed = await store.removeTotp(operatorId, sessionId, audit, now());
      return removed ? "removed" : "second-factor-absent";
    },

    async replaceRecoveryCodes({ id: operatorId, sessionId }, asker) {
      const { recoveryCodes, hashes } = makeRecoveryCodes(randomBytes);
      const audit = entryOf("recovery-codes.replaced", asker);
      const replaced = await store.replaceRecoveryCodes(
        operatorId,
        hashes,
        sessionId,
        audit,
        now(),
      );
      return replaced ? recoveryCodes : null;
    },

    async recoveryCodesLeft(operatorId) {
      const operator = await operators.findById(operatorId);
      if (operator === null || operator.sealedTotpSecret === null) return null;
      return store.recoveryCodesLeft(operatorId);
    },
  };
}

/** Operators change their own factors alone. */
function entryOf(action: string, asker: Asker) {
  return { ...asker, projectId: null, action, subject: asker.actor.name, change: null };
}
