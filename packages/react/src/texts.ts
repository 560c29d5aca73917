/** The bell's words for people: its tooltip, which is also its accessible name. */
export type BellLabels = {
  /** While notifications are off. */
  enable: string;
  /** While they are on. */
  disable: string;
};

/** The languages that the bell speaks, by their tags (BCP 47). */
type Spoken = "pt-BR" | "en" | "es";

export const texts: Record<Spoken, BellLabels> = {
  "pt-BR": { enable: "Habilitar Notificações", disable: "Desabilitar Notificações" },
  en: { enable: "Enable notifications", disable: "Disable notifications" },
  es: { enable: "Activar notificaciones", disable: "Desactivar notificaciones" },
};

/**
 * The language to speak for a tag: its first part names the language. Portuguese if the bell does not speak that one, and
 * for what is no text.
 */
export function languageOf(tag: unknown): Spoken {
  const [language] = typeof tag === "string" ? tag.toLowerCase().split("-") : [];
  return language === "en" || language === "es" ? language : "pt-BR";
}
