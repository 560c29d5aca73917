import { createTurns, type Turns } from "../turns.ts";

/** A flood of log-ins must take neither the memory nor all threads: what Argon2 takes is at passwords.ts. */
const strangers = { atOnce: 2, waiting: 50 };
/** However many strangers come, they do not stand before browsers that have logged in before. */
const known = { atOnce: 1, waiting: 20 };

/** Turns at looking at passwords, or at hashing them, in this process. Each throws NoTurnLeft where too many wait. */
export type PasswordTurns = {
  stranger: Turns;
  /** For a session, or a browser that has logged in to the account before. */
  known: Turns;
};

export function createPasswordTurns(): PasswordTurns {
  return { stranger: createTurns(strangers), known: createTurns(known) };
}
