/** The site's words for people. */
export const texts = {
  productName: "Sineta",
  notices: "Avisos",
  emptyTitle: "Tudo tranquilo por aqui",
  emptyBody: "Os avisos que chegarem a este navegador aparecem nesta página.",
  /** While the bell is grey. */
  touchBell: "Toque no sino para receber os avisos neste navegador.",
  development: "Este é um servidor de desenvolvimento.",
  toConsole: "Abrir o painel",
  newNotice: (title: string) => `Novo aviso: ${title}`,
  justNow: "agora",
} as const;

/** The language of the texts, for dates and numbers. */
export const locale = "pt-BR";
