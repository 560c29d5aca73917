import type { Texts } from "../pt/index.ts";

export const firstRun: Texts["firstRun"] = {
  title: "Primeros pasos",
  what: "En pocos minutos el primer aviso llega a este navegador. Puedes salir y volver: lo hecho sigue hecho.",
  done: "Hecho",
  account: "Crea tu cuenta",
  accountDone: (name) => `Has entrado como ${name}.`,
  name: "Da un nombre al proyecto",
  nameWhat: "El nombre del sitio o de la tienda, como lo conocen las personas.",
  bell: "Mira la campana y actívala aquí",
  bellWhat:
    "Así ven la campana quienes visitan el sitio. Actívala en este navegador y responde que sí cuando pregunte si el sitio puede notificar.",
  bellOn: "Este navegador está registrado y puede recibir avisos.",
  enable: "Activar avisos aquí",
  obstacles: {
    insecure:
      "Esta página se abrió sin https, y los navegadores solo ofrecen avisos en páginas https. Pon un proxy con https delante del servidor, define SINETA_PUBLIC_URL con su dirección https y abre el panel por ella.",
    loopback:
      "Esta página se abrió por http en esta computadora, y el servidor se inició con una dirección pública. Abre el panel en la dirección https definida en SINETA_PUBLIC_URL.",
    apple:
      "La campana no aparece en iPhone, iPad ni iPod. Abre el panel en una computadora o en un teléfono Android.",
    unsupported:
      "Este navegador no ofrece avisos por push aquí. Usa una versión actual de Chrome, Edge, Firefox o Safari, fuera de una ventana privada.",
    denied:
      "Los avisos de este sitio están bloqueados en este navegador. Pulsa el icono junto a la dirección de la página, permite las notificaciones y vuelve a esta página.",
  },
  errors: {
    "worker-failed":
      "El navegador no pudo instalar el service worker. Recarga la página; si sigue así, mira si un proxy delante del servidor cambia el archivo /sineta-sw.js.",
    "subscribe-failed":
      "El servicio de push del navegador rechazó la suscripción. Revisa la conexión de esta computadora a internet e inténtalo de nuevo.",
    "token-timeout":
      "La suscripción tardó demasiado. Revisa la conexión e inténtalo de nuevo; si llega después, la campana se activa sola.",
    "server-unreachable": "El servidor no respondió. Revisa la conexión e inténtalo de nuevo.",
    "server-refused":
      "El servidor rechazó el registro. Revisa si el panel se abrió en la dirección definida en SINETA_PUBLIC_URL.",
    "storage-failed":
      "El navegador no deja que esta página guarde datos. Sal de la ventana privada o permite los datos de este sitio.",
  },
  unknownError: (code) => `No se pudo activar la campana (${code}). Inténtalo de nuevo.`,
  send: "Envía el primer aviso a este navegador",
  bellFirst: "Activa primero la campana.",
  titleOfNotice: "Título",
  bodyOfNotice: "Texto",
  firstTitle: "¡Hola!",
  firstBody: "Este es el primer aviso de tu sitio.",
  sendNow: "Enviar a este navegador",
  sendAgain: "Enviar de nuevo",
  arrive: "Mira llegar el aviso",
  arriveWhat:
    "Después de enviarlo, el aviso aparece en la esquina de la pantalla, y aquí se ve su camino.",
  underWay: "El aviso va camino del servicio de push del navegador…",
  accepted: "El servicio de push aceptó el aviso. Falta que el navegador lo muestre…",
  arrived: "El aviso llegó y se mostró en este navegador.",
  failed: (reason) =>
    `El servicio de push todavía no aceptó el aviso (${reason}). El servidor lo sigue intentando durante 5 minutos; revisa la conexión del servidor a internet.`,
  gone: "El servicio de push dice que esta suscripción terminó. Recarga la página, activa la campana de nuevo y envía otra vez.",
  late: "El aviso fue aceptado, pero el navegador todavía no dijo que lo mostró. Mira si el sistema está en “no molestar”, si las notificaciones de este navegador están permitidas en los ajustes del sistema y si el navegador está abierto.",
  over: "Todo listo: los avisos salen de aquí y llegan. Ahora pon la campana en tu sitio.",
  leave: "Ir al panel",
  toInstall: "Poner la campana en el sitio",
  toCompose: "Escribir un aviso",
};
