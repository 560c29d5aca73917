import { expect } from "@playwright/test";
import type { Visitor } from "./visitor.ts";

/** The bell's words, as the specification has them. */
export const off = "Habilitar Notificações";
export const on = "Desabilitar Notificações";

/** Lines of the console, each with one argument. */
export const noTokenLine = {
  text: "No registration token available. Request permission to generate one.",
  count: 1,
};
export const failedLine = { text: "An error occurred while retrieving token.", count: 1 };

/** The action by which a token gets into the shared state. */
export const setToken = { type: "setToken", payload: expect.stringMatching(/^[\w-]{43}$/) };

/** The actions that carry a token, in whatever form; the list of notices has its own. */
export async function tokenActions(visitor: Visitor): Promise<unknown[]> {
  const actions = await visitor.actions();
  return actions.filter((action) => JSON.stringify(action).includes("oken"));
}

/** The token, as the page's shared state got it. Waits until the bell is on, and the state has it, a moment later. */
export async function tokenOf(visitor: Visitor): Promise<string> {
  await expect(visitor.bell).toHaveAccessibleName(on);
  const latest = async () => (await visitor.actions()).findLast(isSetToken)?.payload ?? "";
  await expect.poll(latest).not.toBe("");
  return latest();
}

function isSetToken(action: unknown): action is { type: "setToken"; payload: string } {
  return (
    typeof action === "object" && action !== null && Reflect.get(action, "type") === "setToken"
  );
}
