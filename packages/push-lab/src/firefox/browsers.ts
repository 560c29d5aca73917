export type Browsers = {
  /** Who the browser is from now on: who it says it is, where it is known here, or somebody new. */
  readonly admit: (uaid: string | undefined) => string;
  /** From now on nobody is known. */
  readonly forget: () => void;
};

/**
 * Which browsers this service knows, by their `uaid`. A browser that is given another one than it had drops its
 * subscriptions and fires `pushsubscriptionchange`.
 *
 * @param onNew told the uaid of each browser that is new here
 */
export function createBrowsers({
  random,
  onNew,
}: {
  random: (bytes: number) => Uint8Array;
  onNew: (uaid: string) => void;
}): Browsers {
  const known = new Set<string>();
  return {
    admit: (uaid) => {
      if (uaid !== undefined && known.has(uaid)) return uaid;
      const fresh = Buffer.from(random(16)).toString("hex");
      known.add(fresh);
      onNew(fresh);
      return fresh;
    },
    forget: () => {
      known.clear();
    },
  };
}
