/** Whether the session is over while somebody works: a store outside of React, since any request may find out. */
let ended = false;
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
  set(false);
}

export function subscribeToEnded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function hasEnded(): boolean {
  return ended;
}
