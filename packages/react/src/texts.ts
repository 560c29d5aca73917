/** The bell's words for people: its tooltip, which is also its accessible name. */
export const texts = {
  enable: "Habilitar Notificações",
  disable: "Desabilitar Notificações",
} as const;
