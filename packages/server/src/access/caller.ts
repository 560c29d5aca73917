import type { Role, Scope } from "@sineta/protocol";
import type { Actor } from "../store/port.ts";

/** Who asks, once that is shown. */
export type Caller =
  | { readonly kind: "nobody" }
  | { readonly kind: "doctor" }
  | {
      readonly kind: "api-key";
      readonly id: number;
      readonly prefix: string;
      readonly projectId: number;
      readonly scopes: readonly Scope[];
    }
  | OperatorCaller;

export type OperatorCaller = {
  readonly kind: "operator";
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly sessionId: number;
  /** By project. */
  readonly roles: ReadonlyMap<number, Role>;
};

/** Whoever changes what is the own. The session that asks stays, all others end; null: none asks. */
export type Self = { id: number; sessionId: number | null };

/** As the audit names them. */
export function actorOf(caller: Caller): Actor {
  switch (caller.kind) {
    case "nobody":
    case "doctor":
      return { kind: "nobody", name: "" };
    case "api-key":
      return { kind: "api-key", name: caller.prefix, id: caller.id };
    case "operator":
      return { kind: "operator", name: caller.email, id: caller.id };
    default:
      return caller satisfies never;
  }
}

/** By which a caller is counted: an operator's sessions are one, and so is whatever uses an API key. */
export function callerKey({ kind, name, id }: Actor): string {
  return `${kind} ${id ?? name}`;
}
