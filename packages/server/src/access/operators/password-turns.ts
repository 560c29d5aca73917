import { createCallerTurns, type CallerTurns } from "../caller-turns.ts";
import { createTurns, type Turns } from "../turns.ts";

/** A flood of log-ins must take neither the memory nor all threads: what Argon2 takes is at passwords.ts. */
const strangers = { atOnce: 2, waiting: 50 };
/** Of an operator, or of an invitation: enough for somebody who logs in on several devices in the same moment. */
const ofOne = { atOnce: 1, waiting: 5 };
const ofAll = { atOnce: 1, waiting: 20 };

type TurnsOf<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>;

/**
 * Turns at looking at passwords, or at hashing them, in this process: three at once. Each throws NoTurnLeft where too
 * many wait.
 */
export type PasswordTurns = {
  stranger: Turns;
  /** For a browser that has logged in to the account before, or an invitation. No stranger stands before it. */
  known: TurnsOf<string>;
  /** For an operator in a session: neither strangers nor other operators take the turn away. */
  inside: TurnsOf<number>;
};

export function createPasswordTurns(): PasswordTurns {
  // One of those who log in and one from inside, by turns: neither side waits for more than one of the other.
  const takeThird = createTurns({ atOnce: 1, waiting: 1 });
  const bounds = { perCaller: ofOne, inAll: ofAll };
  const [known, inside] = [createCallerTurns(bounds), createCallerTurns(bounds)];

  async function inTurn<Result>(take: CallerTurns, key: string, work: () => Promise<Result>) {
    const end = await take(key);
    try {
      return await takeThird(work);
    } finally {
      end();
    }
  }

  return {
    stranger: createTurns(strangers),
    known: (key, work) => inTurn(known, key, work),
    inside: (operatorId, work) => inTurn(inside, String(operatorId), work),
  };
}
