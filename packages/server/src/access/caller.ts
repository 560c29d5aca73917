import type { Role, Scope } from "@sineta/protocol";
import type { Actor } from "../store/port.ts";

/** Who asks, once that is shown. */
export type Caller =
  | { readonly kind: "nobody" }
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

/** As the audit names them. */
export function actorOf(caller: Caller): Actor {
  switch (caller.kind) {
    case "nobody":
      return { kind: "nobody", name: "" };
    case "api-key":
      return { kind: "api-key", name: caller.prefix };
    case "operator":
      return { kind: "operator", name: caller.email };
    default:
      return caller satisfies never;
  }
}
