/** Whether the session is over while somebody works: a store outside of React, since any request may find out. */
let ended = false;
let restored = 0;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (ended === value) return;
  ended = value;
  for (const listener of listeners) listener();
}

export function sessionEnded(): void {
  set(true);
}

export function sessionRestored(): void {
  restored += 1;
  set(false);
}

/** How often the operator has logged in again. A request that was sent before the last time belongs to the session before. */
export function timesRestored(): number {
  return restored;
}

/** Whether the server refused a request because there is no session, by the code of the refusal. */
export function saysSessionEnded(code: string): boolean {
  return code === "session-ended" || code === "session-missing";
}

export function subscribeToEnded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function hasEnded(): boolean {
  return ended;
}
