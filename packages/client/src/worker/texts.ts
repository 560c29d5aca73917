/** The worker's words for people. */
export const texts = {
  unreadable: "Nova notificação",
} as const;
