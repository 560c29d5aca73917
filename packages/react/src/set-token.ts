/**
 * The action that carries the token into the shared state. Its type is that very string. Its payload is null only where
 * the visitor has turned notifications off.
 */
export type SetTokenAction = { type: "setToken"; payload: string | null };

/** Makes the `setToken` action. */
export function setToken(token: string | null): SetTokenAction {
  return { type: "setToken", payload: token };
}

/** The part of the shared state that keeps the token: null while there is none. For any Redux store. */
export function tokenReducer(
  state: string | null | undefined,
  action: { type: string; payload?: unknown },
): string | null {
  const { type, payload } = action;
  const isToken = typeof payload === "string" || payload === null;
  return type === "setToken" && isToken ? payload : (state ?? null);
}
