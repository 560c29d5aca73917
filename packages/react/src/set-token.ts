/** The action that carries the token into the shared state. Its type is that very string. */
export type SetTokenAction = { type: "setToken"; payload: string };

/** Makes the `setToken` action. */
export function setToken(token: string): SetTokenAction {
  return { type: "setToken", payload: token };
}

/** The part of the shared state that keeps the token: null until there is one. For any Redux store. */
export function tokenReducer(
  state: string | null | undefined,
  action: { type: string; payload?: unknown },
): string | null {
  return action.type === "setToken" && typeof action.payload === "string"
    ? action.payload
    : (state ?? null);
}
