import {
  browsers,
  languages,
  pushServices,
  registrationStates,
  systems,
} from "@sineta/protocol/words/es";
import type { Texts } from "../pt/index.ts";

export const audience: Texts["audience"] = {
  browsers,
  systems,
  languages,
  pushServices,
  states: registrationStates,
  active: "Suscriptores activos",
  inDays: (days: number) => `en ${days} días`,
  lastNotice: "Último aviso",
  noNotices: "Todavía no se envió ningún aviso.",
  clickedOfSeen: (rate: string) => `El ${rate} de quienes lo vieron hizo clic.`,
  usualRate: (rate: string) => `Tu media: ${rate}.`,
  next: "A continuación",
  nothingNext: "Nada programado, ningún borrador.",
  nothingScheduled: "Nada programado.",
  whereTheyAre: ", a la hora de cada uno",
  draft: "Borrador:",
  saved: (when: string) => `guardado ${when}`,
  moreScheduled: (count: number, shown: string, hasMore: boolean) =>
    hasMore
      ? `Más de ${shown} programados`
      : `${shown} ${count === 1 ? "programado" : "programados"} más`,
  moreDrafts: (count: number, shown: string) =>
    count === 1 ? "1 borrador más" : `${shown} borradores más`,
  enteredAndLeft: "Entraron y salieron",
  entered: (count: number, shown: string) => `${shown} ${count === 1 ? "entró" : "entraron"}`,
  gotLost: (count: number, shown: string) => `${shown} ${count === 1 ? "salió" : "salieron"}`,
  nobodyMoved: "Nadie entró ni salió en este período.",
  today: "hoy",
  range: "Período",
  lastDays: (days: number) => `${days} días`,
  chartTitle: "Entradas y salidas por día",
  chartLabel: (days: number) =>
    `Gráfico de los últimos ${days} días: quien entró, hacia arriba; quien salió, hacia abajo. La tabla de abajo tiene las mismas cifras.`,
  asTable: "Ver las cifras en una tabla",
  day: "Día (UTC)",
  registered: "Nuevos",
  returned: "Volvieron",
  renewed: "Cambiaron de suscripción",
  left: "Salieron por sí mismos",
  gone: "Suscripción terminada",
  removed: "Quitados por un operador",
  liveAtEnd: "Activos al final del día",
  renewedWhat:
    "“Cambiaron de suscripción” no es una pérdida: el mismo navegador sigue alcanzable, en una dirección nueva. Las pérdidas están en Suscriptores.",
  whoTheyAre: "Quiénes son",
  latestNotices: "Últimos avisos",
  seeAll: "Ver todos",
  notice: "Aviso",
  sent: "Enviado",
  accepted: "Aceptados",
  displayed: "Mostrados",
  clicked: "Con clic",
  clicks: "Clics",
  clicksOf: (count: number, shown: string) => `${shown} ${count === 1 ? "hizo" : "hicieron"} clic`,
  firstSteps: "Primeros pasos",
  firstStepsWhat:
    "Nadie encendió la campana todavía. Enciéndela en este navegador y envía un aviso de prueba, o instala la campana en tu sitio.",
  walkThrough: "Empezar paso a paso",
  installBell: "Instalar la campana en el sitio",

  attention: {
    title: "Necesita atención",
    nothing: "Todo en orden por aquí",
    since: (when: string) => `Desde ${when}.`,
    waiting: (count: number, shown: string) =>
      count === 1 ? "1 navegador espera por esto." : `${shown} navegadores esperan por esto.`,
    nextProbe: (when: string) => `Próximo intento ${when}.`,
    probeDue: "Próximo intento: con el próximo envío.",
    keyRefused: (service: string) => `${service}: la clave del proyecto fue rechazada`,
    keyRefusedWhat:
      "Nada se envía por ahí, y nadie se pierde mientras tanto. Revisa el reloj del servidor y el contacto en SINETA_VAPID_SUBJECT; después reinicia el servidor.",
    breakerOpen: (service: string) => `${service}: envío en espera`,
    breakerReasons: {
      unavailable:
        "El servicio no responde, o responde con errores propios. Revisa la red del servidor y la página de estado del servicio; si todo está bien, basta esperar: Sineta lo intenta de nuevo sola.",
      throttled:
        "El servicio pidió una pausa. No hay que hacer nada: el envío continúa después de ella.",
      "refuses-all":
        "El servicio rechaza todos los envíos. Mira en el aviso lo que respondió, corrígelo y reinicia el servidor.",
    },
    nothingAccepted: (service: string) => `${service}: nada fue aceptado todavía`,
    nothingAcceptedWhat: (reason: string) =>
      `Los intentos fallan (${reason}) y se repiten solos hasta el plazo del aviso. Si dura, revisa la red del servidor y la página de estado del servicio.`,
    keyUnknown: (origin: string) => `${origin}: una página tiene otra clave VAPID`,
    keyUnknownWhat: (keyStart: string, rightStart: string) =>
      `Su campana no registra a nadie. La clave que usa empieza por ${keyStart}, y la del proyecto por ${rightStart}. Copia de “Instalar la campana” la clave del proyecto a la página.`,
    keyUnknownSince: (since: string, refused: number, shown: string, last: string) =>
      refused === 1
        ? `El servidor rechazó un registro, ${last}. Con la página corregida, este punto sale de la lista en un día como máximo.`
        : `El servidor rechazó ${shown} registros desde ${since}; el último, ${last}. Con la página corregida, este punto sale de la lista en un día como máximo.`,
    toInstall: "Abrir “Instalar la campana”",
    diskLow: "Poco espacio en el disco",
    diskLowWhat: (free: string, threshold: string) =>
      `Quedan ${free} en el disco de la carpeta de datos (el límite es ${threshold}). Libera espacio o amplía el disco: lleno, nada más se guarda.`,
    registrationsQuota: "Límite de registros casi alcanzado",
    registrationsQuotaWhat: (used: string, quota: string) =>
      `${used} de ${quota} registros. Al llegar al límite, se rechazan navegadores nuevos. El límite se cambia en Ajustes.`,
    messagesQuota: "Límite de avisos por hora casi alcanzado",
    messagesQuotaWhat: (used: string, quota: string) =>
      `${used} de ${quota} avisos en la última hora. Espera, o cambia el límite en Ajustes.`,
    retentionLate: "La limpieza está atrasada",
    retentionLateWhat: (oldest: string, days: number) =>
      `Hay registros terminados desde ${oldest} que ya debían haberse quitado (se guardan ${days === 1 ? "1 día" : `${days} días`}). Mira en el log del servidor por qué la limpieza no avanza.`,
    toSettings: "Abrir Ajustes",
  },

  losses: {
    title: "Pérdidas y regresos",
    none: (days: number) => `Ninguna pérdida en los últimos ${days} días.`,
    sum: (days: number, [lost, lostShown]: [number, string], returned: string) =>
      `${lostShown} ${lost === 1 ? "pérdida" : "pérdidas"} en los últimos ${days} días; en ${returned} el navegador ya volvió.`,
    what: "Incluye pérdidas que solo el navegador notó. Quien salió o fue eliminado vuelve como registro nuevo.",
    byCause: "Ver por causa",
    cause: "Causa",
    lost: "Pérdidas",
    returned: "Volvieron",
    causes: {
      left: "El propio navegador salió",
      removed: "Alguien del equipo eliminó el registro",
      gone: "El servicio push terminó la suscripción",
      "subscription-gone": "El servicio push terminó la suscripción, y el navegador la conservó",
      "subscription-missing": "El navegador descartó la suscripción",
      "subscription-changed": "El navegador pasó a tener otra suscripción",
      "key-changed": "La clave del sitio cambió",
      "worker-missing": "El service worker fue eliminado o cambió de dirección",
      "worker-replaced": "Otro script tomó el lugar del service worker",
      "registration-unknown": "El servidor ya no conocía el registro",
      "registration-outdated": "El servidor conocía una suscripción antigua",
    },
  },

  exports: {
    all: "Todos los suscriptores",
    filtered: "Solo lo que muestran los filtros",
    plain: "Sin tokens",
    plainWhat: "Sitio, usuario del sitio, navegador, temas y fechas",
    withTokens: "Con tokens",
    withTokensWhat: "El token identifica cada navegador en la API",
  },

  list: {
    registrations: "Registros",
    filters: "Filtros",
    all: "Todos",
    state: "Situación",
    browser: "Navegador",
    system: "Sistema",
    language: "Idioma",
    pushService: "Servicio de push",
    topic: "Tema",
    user: "Usuario del sitio",
    token: "Token del registro",
    openToken: "Abrir",
    searching: "Buscando…",
    found: (count: number, shown: string) =>
      count === 1 ? "1 encontrado hasta aquí" : `${shown} encontrados hasta aquí`,
    foundAll: (count: number, shown: string) =>
      count === 1 ? "1 encontrado" : `${shown} encontrados`,
    none: "No se encontró ningún registro",
    nobody: "Nadie se registró todavía.",
    registeredAt: "Registrado",
    confirmedAt: "Confirmado",
    table: "Registros, del más nuevo al más antiguo",
  },

  registration: {
    title: (token: string) => `Registro ${token}`,
    back: "Todos los registros",
    why: {
      live: (confirmed: string) => `Está alcanzable. El navegador se confirmó ${confirmed}.`,
      liveFailing: (title: string, when: string) =>
        `Está alcanzable, pero el aviso “${title}” no fue aceptado ${when}.`,
      refused: (when: string) =>
        `Está registrado, pero el servicio de push rechaza lo que se le envía desde ${when}, aunque acepta otros: en general la suscripción se hizo con otra clave. Cuando la persona vuelva al sitio, el navegador se registra de nuevo.`,
      left: (when: string) =>
        `Se detuvo ${when} porque el propio navegador salió: la persona apagó los avisos, o la página del sitio lo hizo por ella.`,
      gone: (when: string) =>
        `Se detuvo ${when} porque el servicio de push dijo que esta suscripción ya no existe: en general la persona retiró el permiso, borró los datos del sitio o desinstaló el navegador. Si vuelve al sitio con permiso, este registro vuelve solo.`,
      removed: (when: string) =>
        `Se detuvo ${when} porque alguien del equipo lo quitó. En la próxima visita el navegador se registra de nuevo, con otro token, mientras exista el permiso.`,
    },
    unknownReason: (code: string) => `Por un motivo que este panel no conoce (${code})`,
    timeline: "Qué pasó",
    timelineWhat: "Los avisos aceptados se cuentan, pero no se guardan por navegador.",
    more: "Hay acontecimientos más antiguos que no aparecen aquí.",
    events: {
      registered: "Se registró",
      confirmed: "Se confirmó por última vez",
      renewed: (times: number) =>
        times === 1
          ? "Cambió de suscripción"
          : `Cambió de suscripción por última vez (${times} veces en total)`,
      returned: (times: number) =>
        times === 1
          ? "Volvió después de una pérdida"
          : `Volvió por última vez después de una pérdida (${times} veces en total)`,
      goneAt: (when: string) => `El servidor lo supo ${when}.`,
      joined: (topic: string) => `Entró en el tema ${topic}`,
      displayed: "Mostró el aviso",
      clicked: "Hizo clic en el aviso",
      closed: "Cerró el aviso",
      action: (id: string) => `(botón ${id})`,
      message: {
        accepted: "El aviso fue aceptado tras un cambio de dirección",
        gone: "El aviso encontró la suscripción terminada",
        retry: "El aviso espera un nuevo intento",
        rejected: "El servicio de push rechazó el aviso",
        failed: "El aviso no fue entregado",
      },
      attempts: (count: number) => (count === 1 ? "1 intento" : `${count} intentos`),
      refused: "El servicio de push empezó a rechazar lo que se le envía",
      left: "El navegador salió",
      gone: "El servicio de push terminó la suscripción",
      removed: "Alguien del equipo quitó el registro",
    },
    details: "Detalles",
    detailsWhat:
      "La dirección y las claves del navegador nunca se muestran. Navegador y sistema son lo que él dice de sí.",
    token: "Token",
    state: "Situación",
    origin: "Sitio",
    timeZone: "Zona horaria",
    user: "Usuario del sitio",
    topics: "Temas",
    noTopics: "Ninguno",
    forgotten: "Olvidado",
    remove: "Quitar registro",
    removeTitle: "¿Quitar este registro?",
    removeWhat:
      "Nada más se envía a este navegador, y esto no se puede deshacer: la suscripción se borra al instante, con temas y usuario. Pero no es un bloqueo: mientras exista el permiso, el navegador se registra de nuevo en la próxima visita, con otro token. Quien no quiere recibir nada más retira el permiso en el navegador.",
  },

  topics: {
    what: "Un tema reúne navegadores que quieren los mismos avisos. Abierto: cualquier visitante entra. Cerrado: solo tu sistema, o tu equipo, pone a alguien en él. Salir, todos pueden.",
    policies: { open: "Abierto", kept: "Cerrado" },
    add: "Crear tema",
    name: "Nombre",
    nameWhat: "Cómo lo llama tu equipo",
    nameMissing: "Escribe un nombre.",
    technicalName: "Nombre técnico",
    technicalNameWhat: "Se usa en el código del sitio; no cambia después",
    technicalNameWrong:
      "Sin espacios ni acentos: de 1 a 64 letras, números, _ . ~ o -; por ejemplo ofertas-del-dia",
    rename: "Renombrar",
    renameOf: (name: string) => `Renombrar ${name}`,
    renameTitle: "Renombrar tema",
    renameWhat: (name: string) =>
      `El nombre técnico sigue siendo ${name}: el código del sitio no cambia. Sin nombre vale el técnico.`,
    renameSave: "Guardar",
    policy: "Quién puede entrar",
    policyOf: (name: string) => `Quién puede entrar en ${name}`,
    members: (count: number, shown: string) =>
      count === 1 ? "1 alcanzable" : `${shown} alcanzables`,
    see: "Ver registros",
    seeOf: (name: string) => `Ver registros de ${name}`,
    remove: "Quitar",
    removeOf: (name: string) => `Quitar ${name}`,
    removeTitle: (name: string) => `¿Quitar el tema ${name}?`,
    removeWhat: (count: number, shown: string) =>
      `${count === 1 ? "1 navegador pierde este tema y tendría" : `${shown} navegadores pierden este tema y tendrían`} que entrar en él de nuevo. No se puede deshacer.`,
    none: "Todavía no hay temas.",
    listTitle: "Temas del proyecto",
  },
};
