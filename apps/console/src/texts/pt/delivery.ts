/** Whether the server sends: on its own page, on Início, and beside a notice that waits. */
export const delivery = {
  title: "Envio",
  held: "Envio parado",
  running: "Envio ativo",
  runningWhat: "Cada aviso sai no seu horário.",
  heldWhat: "Nada sai até o envio ser retomado. Inscrições e avisos novos continuam entrando.",
  since: (when: string) => `Desde ${when}.`,
  /** Of a restored server: its data is of that time. */
  copyOf: (when: string) => `Cópia de ${when}.`,
  why: {
    restored:
      "Os dados vêm de uma cópia de segurança, e outro servidor pode já ter enviado o que espera.",
    cloned: "A pasta de dados é uma cópia, e o servidor de origem pode enviar o mesmo.",
    asked: "Alguém da equipe parou o envio.",
  },
  stopOther:
    "Antes de retomar, desligue o outro servidor de vez: ele também enviaria os avisos que saem mais tarde.",
  open: "Abrir Envio",
  /** Beside a notice, by what a resume does to it. */
  waits: {
    cancel:
      "Quando o envio for retomado, este aviso será cancelado, a menos que um operador o marque em Envio.",
    now: "Este aviso espera até o envio ser retomado.",
    later: "Este aviso só sai no seu horário se o envio for retomado até lá.",
    doubtful:
      "Outro servidor pode enviar este aviso, no horário que ele tem lá. Se o envio for retomado só depois desse horário, este aviso será cancelado, a menos que um operador o marque em Envio.",
    unlisted: "Este aviso não sai enquanto o envio está parado.",
    expire: "Este aviso não sai mais: a validade dele terminou.",
  },

  // What waits.
  nothingWaits: "Nenhum aviso está esperando.",
  fates: {
    cancel: {
      title: "Serão cancelados",
      what: "Outro servidor pode já ter enviado estes avisos.",
    },
    now: { title: "Saem ao retomar", what: "Estes avisos saem logo que o envio for retomado." },
    later: { title: "Saem mais tarde", what: "Estes avisos saem no seu horário." },
    expire: { title: "Não saem mais", what: "A validade destes avisos terminou." },
  },
  mark: "Marque os que devem sair mesmo assim.",
  notices: (count: number, shown: string) => (count === 1 ? "1 aviso" : `${shown} avisos`),
  due: (when: string) => `Previsto para ${when}`,
  dueLocal: (when: string) => `Previsto para ${when}, no horário de cada pessoa`,
  begun: "já começou a sair",
  registrations: (count: number, shown: string) =>
    count === 1 ? "1 navegador espera" : `${shown} navegadores esperam`,
  expired: "A validade terminou: não sai mais.",
  cut: (shown: string) => `Só os primeiros ${shown} aparecem aqui.`,
  sendAnyway: "Enviar mesmo assim",
  sendAllAnyway: "Enviar todos mesmo assim",

  ownersOnly: (role: string) => `Para parar ou retomar o envio é preciso ter o papel ${role}.`,

  // Resuming.
  resume: "Retomar o envio",
  resumeTitle: "Retomar o envio?",
  outcome: {
    cancel: (count: number, shown: string) =>
      count === 1 ? "1 aviso é cancelado de vez." : `${shown} avisos são cancelados de vez.`,
    now: (count: number, shown: string) =>
      count === 1 ? "1 aviso começa a sair agora." : `${shown} avisos começam a sair agora.`,
    later: (count: number, shown: string) =>
      count === 1 ? "1 aviso sai no seu horário." : `${shown} avisos saem no seu horário.`,
    expire: (count: number, shown: string) =>
      count === 1
        ? "1 aviso não sai: a validade terminou."
        : `${shown} avisos não saem: a validade terminou.`,
  },
  unlistedMayExpire: "Dos que não aparecem na lista saem só os que ainda valem.",
  unlistedCancelled: (count: number, shown: string) =>
    count === 1
      ? "1 dos avisos cancelados não aparece na lista."
      : `${shown} dos avisos cancelados não aparecem na lista.`,
  resumed: (count: number, shown: string) => {
    if (count === 0) return "O envio foi retomado. Nenhum aviso foi cancelado.";
    return `O envio foi retomado. ${count === 1 ? "1 aviso foi cancelado." : `${shown} avisos foram cancelados.`}`;
  },
  stale:
    "O envio continua parado: a lista mudou enquanto você a via. Confira a lista nova e retome de novo.",
  alreadyRunning: "O envio já tinha sido retomado. Este pedido não mudou nada.",

  // Holding.
  hold: "Parar o envio",
  holdTitle: "Parar o envio?",
  holdWhat:
    "O servidor inteiro para de enviar até um dono retomar o envio. Reiniciar o servidor não muda isso.",
  holdKeeps: "Inscrições e avisos novos continuam entrando.",
  nowHeld: "O envio foi parado.",
  keep: "Deixar como está",
};
