import type { Texts } from "../pt/index.ts";

export const delivery: Texts["delivery"] = {
  title: "Envío",
  held: "Envío detenido",
  running: "Envío activo",
  runningWhat: "Cada aviso sale a su hora.",
  heldWhat:
    "Nada sale hasta que se reanude el envío. Las inscripciones y los avisos nuevos siguen entrando.",
  since: (when) => `Desde ${when}.`,
  copyOf: (when) => `Copia de ${when}.`,
  why: {
    restored:
      "Los datos vienen de una copia de seguridad, y otro servidor puede haber enviado ya lo que espera.",
    cloned: "La carpeta de datos es una copia, y el servidor de origen puede enviar lo mismo.",
    asked: "Alguien del equipo detuvo el envío.",
  },
  stopOther:
    "Antes de reanudar, apaga el otro servidor para siempre: también enviaría los avisos que salen más tarde.",
  open: "Abrir Envío",
  waits: {
    cancel:
      "Cuando se reanude el envío, este aviso se cancelará, a menos que un operador lo marque en Envío.",
    now: "Este aviso espera hasta que se reanude el envío.",
    later: "Este aviso solo sale a su hora si el envío se reanuda antes.",
    doubtful:
      "Otro servidor puede enviar este aviso, a la hora que tiene allí. Si el envío se reanuda después de esa hora, este aviso se cancelará, a menos que un operador lo marque en Envío.",
    unlisted: "Este aviso no sale mientras el envío está detenido.",
    expire: "Este aviso ya no sale: su validez terminó.",
  },

  nothingWaits: "Ningún aviso espera.",
  fates: {
    cancel: {
      title: "Se cancelarán",
      what: "Otro servidor puede haber enviado ya estos avisos.",
    },
    now: {
      title: "Salen al reanudar",
      what: "Estos avisos salen en cuanto se reanude el envío.",
    },
    later: { title: "Salen más tarde", what: "Estos avisos salen a su hora." },
    expire: { title: "Ya no salen", what: "La validez de estos avisos terminó." },
  },
  mark: "Marca los que deben salir de todos modos.",
  notices: (count, shown) => (count === 1 ? "1 aviso" : `${shown} avisos`),
  due: (when) => `Previsto para ${when}`,
  dueLocal: (when) => `Previsto para ${when}, a la hora local de cada persona`,
  begun: "ya empezó a salir",
  registrations: (count, shown) =>
    count === 1 ? "1 navegador espera" : `${shown} navegadores esperan`,
  expired: "Su validez terminó: ya no sale.",
  cut: (shown) => `Aquí aparecen solo los primeros ${shown}.`,
  sendAnyway: "Enviar de todos modos",
  sendAllAnyway: "Enviarlos todos igualmente",
  ownersOnly: (role) => `Para detener o reanudar el envío hace falta el papel ${role}.`,

  resume: "Reanudar el envío",
  resumeTitle: "¿Reanudar el envío?",
  outcome: {
    cancel: (count, shown) =>
      count === 1
        ? "1 aviso se cancela definitivamente."
        : `${shown} avisos se cancelan definitivamente.`,
    now: (count, shown) =>
      count === 1 ? "1 aviso empieza a salir ahora." : `${shown} avisos empiezan a salir ahora.`,
    later: (count, shown) =>
      count === 1 ? "1 aviso sale a su hora." : `${shown} avisos salen a su hora.`,
    expire: (count, shown) =>
      count === 1
        ? "1 aviso no sale: su validez terminó."
        : `${shown} avisos no salen: su validez terminó.`,
  },
  unlistedMayExpire: "De los que no aparecen en la lista salen solo los que aún valen.",
  unlistedCancelled: (count, shown) =>
    count === 1
      ? "1 de los avisos cancelados no aparece en la lista."
      : `${shown} de los avisos cancelados no aparecen en la lista.`,
  resumed: (count, shown) => {
    if (count === 0) return "El envío se reanudó. Ningún aviso se canceló.";
    return `El envío se reanudó. ${count === 1 ? "1 aviso se canceló." : `${shown} avisos se cancelaron.`}`;
  },
  stale:
    "El envío sigue detenido: la lista cambió mientras la mirabas. Revisa la lista nueva y reanuda otra vez.",
  alreadyRunning: "El envío ya se había reanudado. Esta solicitud no cambió nada.",

  hold: "Detener el envío",
  holdTitle: "¿Detener el envío?",
  holdWhat:
    "El servidor entero deja de enviar hasta que un propietario reanude el envío. Reiniciar el servidor no cambia eso.",
  holdKeeps: "Las inscripciones y los avisos nuevos siguen entrando.",
  nowHeld: "El envío se detuvo.",
  keep: "Dejar como está",
};
