/**
 * What was typed into a form, in the browser's own storage. Never throws: a browser that keeps nothing keeps nothing.
 * @param place whose form it is, and which one: others who log in here do not get to see it
 * @param blank how the form begins: of what is found, only what has the name and the type of something in it counts
 */
export function createTypedCopy<Form extends object>(
  storage: () => Storage,
  place: string,
  blank: Form,
) {
  const key = `sineta-typed:${place}`;

  return {
    find(): Partial<Form> {
      const found: Partial<Form> = {};
      attempt(() => {
        const kept: unknown = JSON.parse(storage().getItem(key) ?? "null");
        if (typeof kept !== "object" || kept === null) return;
        for (const [name, value] of Object.entries(blank)) {
          const was: unknown = Reflect.get(kept, name);
          if (isAlike(was, value)) Object.assign(found, { [name]: was });
        }
      });
      return found;
    },
    keep: (typed: Partial<Form>) => attempt(() => storage().setItem(key, JSON.stringify(typed))),
    forget: () => attempt(() => storage().removeItem(key)),
  };
}

function isAlike(one: unknown, other: unknown): boolean {
  if (!Array.isArray(other)) return typeof one === typeof other && !Array.isArray(one);
  return Array.isArray(one) && one.every((each) => typeof each === "string");
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Then it lives as long as the page.
  }
}
