import { useState } from "react";
import { useOperator, useProject } from "../../session/operator.ts";
import { createTypedCopy } from "./typed-copy.ts";

/** A form, and what was typed into it and not yet sent. */
export type TypedForm<Form extends object> = {
  /** Only what differs from how the form began. */
  typed: Partial<Form>;
  /** The whole of it. */
  shown: Form;
  isTyped: boolean;
  type: (change: Partial<Form>) => void;
  /** After it was sent, or given up. */
  forget: () => void;
};

/**
 * Keeps what is typed into a form in this tab: through a reload, a crash, and a session that ends. Not for passwords and codes.
 * @param name of the form
 * @param blank how it begins
 */
export function useTyped<Form extends object>(name: string, blank: Form): TypedForm<Form> {
  const project = useProject();
  const operator = useOperator();
  const [copy] = useState(() =>
    createTypedCopy(() => window.sessionStorage, `${project.name}:${operator.id}:${name}`, blank),
  );
  const [typed, setTyped] = useState(() => copy.find());
  return {
    typed,
    shown: { ...blank, ...typed },
    isTyped: Object.keys(typed).length > 0,
    type(change) {
      const now = { ...typed, ...change };
      copy.keep(now);
      setTyped(now);
    },
    forget() {
      copy.forget();
      setTyped({});
    },
  };
}
