import type { Texts } from "../pt/index.ts";

export const install: Texts["install"] = {
  origins: "Orígenes permitidos",
  originsWhat: "Solo las páginas de estos orígenes pueden registrar navegadores en este proyecto.",
  originsFromEnvironment:
    "La lista viene de SINETA_ORIGINS. Para cambiarla, define la variable en el servidor e inícialo de nuevo.",
  originsFromSettings: "La lista se cambia en Ajustes, Proyecto.",
  addressNotSet:
    "SINETA_PUBLIC_URL no está definida, así que Sineta responde en las direcciones de esta computadora. Para un sitio de verdad, define la variable con la dirección https de Sineta e inicia el servidor de nuevo.",
  twoNames: ({ plain, www }) =>
    `Quien activó la campana en ${plain} y en ${www} tiene dos registros y recibe cada aviso dos veces. Redirige una dirección a la otra en el servidor del sitio. Después quita de la lista la dirección redirigida.`,
  bell: "Aspecto",
  bellWhat:
    "La campana de verdad, apagada y encendida. Los colores que elijas van al código de abajo.",
  pages: { light: "Página clara", dark: "Página oscura" },
  colors: { off: "Apagada", on: "Encendida", focus: "Foco del teclado" },
  ownColors: "Volver a los colores de la campana",
  pale: (state, page) =>
    `${state}: poco contraste en ${page.toLowerCase()}. Elige un color que se vea en las dos.`,
  snippet: "Código para copiar",
  plainHtml: "HTML simple",
  kinds: {
    react: "Para un sitio en React, con cualquier empaquetador (Vite, por ejemplo).",
    html: "Para una página sin framework: el botón es tuyo, el resto viene del paquete. La campana hecha, con los colores elegidos, existe solo para React.",
  },
  notOnRegistry:
    "Los paquetes todavía no están en un registro público: genéralos con npm run packages en el código de Sineta, que aquí está junto a la carpeta del sitio, e instala los archivos de dist/.",
  where: {
    terminal: "1. En el terminal, en la carpeta del sitio",
    code: "2. En el código de la página",
    styles: "3. En el CSS del sitio",
  },
  workerWhat: (worker) =>
    `El archivo ${worker} tiene que estar en el mismo origen de la página, servido como JavaScript y sin redirección.`,
  check: "Revisar el sitio",
  checkWhat:
    "El servidor abre la página como un visitante y dice qué falta. Lee la página, sus scripts y lo que estos importan, no lo que los scripts montan después.",
  page: "Dirección de la página",
  look: "Revisar",
  nothingMissing: "Nada impide que la campana funcione.",
  somethingMissing: (count) =>
    count === 1
      ? "1 cosa impide que la campana funcione."
      : `${count} cosas impiden que la campana funcione.`,
  pageUnknown: "No pude revisarlo desde aquí.",
  restUnknown: "Nada de lo que se revisó impide que la campana funcione.",
  states: { ok: "OK", warning: "Atención", missing: "Error", unknown: "Sin revisar" },
  seen: "Visto:",
  reasons: {
    found: "Está como tiene que estar.",
    loopback: "Es http en esta computadora, que vale solo para desarrollo.",
    insecure: "No es https.",
    "certificate-invalid": "El certificado no es válido para esta dirección.",
    "not-found": "No se encontró.",
    none: "Nada que decir.",
    status: "El servidor del sitio respondió con otro estado que 200.",
    redirected: "La dirección redirige a otra.",
    "redirected-elsewhere": "La dirección lleva a otro origen.",
    "too-many-redirects": "Son demasiadas redirecciones.",
    "timed-out": "El sitio tardó demasiado en responder.",
    "too-large": "Es demasiado grande: solo se leyó el comienzo.",
    encoded: "Llegó comprimido sin pedirlo, y no se leyó.",
    "address-not-allowed":
      "La dirección no es pública. El servidor solo abre páginas públicas. Abre la página en un navegador de tu red y toca la campana.",
    "name-not-resolved": "El nombre no existe en el DNS.",
    "connection-failed": "No hubo conexión.",
    "content-type-wrong": "El tipo de contenido no es el esperado.",
    "not-looked-at": "Está en otro origen, y no se miró.",
    "other-key": "Es la clave de otro proyecto o servidor.",
    "not-sineta": "El archivo existe, pero no es el de Sineta.",
    "blocks-script":
      "La política de la página prohíbe el script de la campana: permite el script en la directiva vista. Si esta tiene 'strict-dynamic', da un nonce al script.",
    "blocks-worker":
      "La política de la página prohíbe el service worker: permite 'self' en worker-src.",
    "blocks-connection":
      "La política de la página prohíbe hablar con el servidor de Sineta: permite su origen en connect-src.",
    "blocks-trusted-types":
      "La página exige Trusted Types y no permite la política sineta: añade sineta a trusted-types.",
    "sandboxes-page":
      "La directiva sandbox aísla la página: añádele allow-scripts y allow-same-origin.",
    "blocks-worker-connection":
      "La política del archivo del service worker prohíbe hablar con el servidor de Sineta. Por eso ningún aviso cuenta como mostrado: permite el origen del servidor en connect-src.",
    "blocks-worker-images":
      "La política del archivo del service worker prohíbe las imágenes de los avisos: permite el origen del sitio y el del servidor de Sineta en img-src.",
    "sandboxes-worker":
      "La directiva sandbox aísla el service worker. Por eso ningún aviso cuenta como mostrado: envía el archivo con una política sin sandbox.",
    malformed: "No se puede leer.",
  },
  findings: {
    https: {
      name: "https",
      todo: "Sirve el sitio por https, con un certificado válido: los navegadores solo ofrecen avisos así.",
      reasons: { found: "La página se sirve por https." },
    },
    "page-reachable": {
      name: "La página abre",
      todo: "Revisa la dirección, y si abre en una ventana privada fuera de tu red.",
      reasons: { found: "La página respondió." },
    },
    "bell-found": {
      name: "La campana está en la página",
      todo: "Pon el código de arriba en la página y publica el sitio.",
      reasons: {
        found: "El código de Sineta está en la página.",
        "not-found": "Ningún script de la página tiene el código de Sineta.",
        "not-looked-at":
          "El código de Sineta no está en los scripts de este origen; hay scripts que no se miraron.",
      },
    },
    "vapid-key": {
      name: "La clave VAPID es de este proyecto",
      todo: "Usa en el código la clave pública que muestra esta página.",
      reasons: {
        found: "La clave de la página es de este proyecto.",
        "not-found": "La clave no se vio en el código: tal vez se lee de otro lugar.",
      },
    },
    "worker-reachable": {
      name: "El service worker",
      todo: "Copia sw.js del paquete @sineta/client a la raíz del sitio como sineta-sw.js, servido como text/javascript.",
      reasons: {
        found: "El archivo está en su lugar, como JavaScript.",
        redirected:
          "La dirección redirige, y los navegadores no siguen eso para un service worker.",
        "redirected-elsewhere":
          "El service worker tiene que estar en el mismo origen de la página.",
        "content-type-wrong": "El archivo no se sirve como JavaScript.",
      },
    },
    "content-security-policy": {
      name: "Política de seguridad (CSP)",
      todo: "Cambia la cabecera Content-Security-Policy que envía el sitio, o el elemento meta de la página. Una directiva nueva vale en lugar de default-src: repite en ella las fuentes de default-src.",
      reasons: {
        found: "La política permite lo que la campana necesita.",
        none: "No hay política, así que ninguna impide la campana.",
      },
    },
    "mixed-content": {
      name: "Partes sin https",
      todo: "Cambia http:// por https:// en las direcciones que carga la página.",
      reasons: {
        none: "Todo lo que carga la página llega por https.",
        insecure: "La página carga algo sin https.",
      },
    },
    manifest: {
      name: "Manifiesto del sitio",
      todo: "La campana funciona sin él; con un manifiesto el sitio se puede instalar y tiene nombre e icono propios.",
      reasons: { "not-found": "La página no apunta a un manifiesto." },
    },
    icons: {
      name: "Iconos",
      todo: "Pon en el manifiesto iconos de 192×192 y 512×512 que se puedan abrir.",
      reasons: {
        found: "Los iconos existen en los tamaños correctos.",
        "not-found": "Faltan iconos en el manifiesto.",
      },
    },
  },
};
