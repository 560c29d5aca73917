const mostCharacters = 64;

/** As the protocol has it (topicNameSchema). */
export function isTechnicalName(name: string): boolean {
  return /^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,64}$/.test(name);
}

/** A technical name for a topic that people call so: "Promoções do dia" gives `promocoes-do-dia`. Empty where no letter is left. */
export function technicalNameOf(displayName: string): string {
  return displayName
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, mostCharacters)
    .replace(/-$/, "");
}
