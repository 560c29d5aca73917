/** Room for one value, from one who puts to one who takes. */
export type Mailbox<Value> = {
  /** Replaces what has not been taken. */
  put(value: Value): void;
  /** Nothing more comes. Repeatable. */
  end(): void;
  /** Resolves once there is something to take, with true, or nothing more comes, with false. */
  ready(): Promise<boolean>;
  /** Takes it as soon as it is there; null at the end. One at a time. */
  take(): Promise<Value | null>;
};

export function createMailbox<Value>(): Mailbox<Value> {
  let held: { value: Value } | null = null;
  let ended = false;
  let change = Promise.withResolvers<void>();

  function wake(): void {
    change.resolve();
    change = Promise.withResolvers<void>();
  }

  async function ready(): Promise<boolean> {
    if (held !== null || ended) return held !== null;
    await change.promise;
    return ready();
  }

  return {
    put(value) {
      held = { value };
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    ready,
    async take() {
      await ready();
      const taken = held;
      held = null;
      return taken === null ? null : taken.value;
    },
  };
}
