import type { reasons as portuguese } from "./pt.ts";

const nothing = "No hay que hacer nada.";
const again = "Se intenta de nuevo mientras el aviso valga.";
const reach =
  "Comprueba que esta máquina llega al servicio de push: la red y el firewall (Sineta no usa proxy), y SINETA_PUSH_ROUTES, si está definida.";
const vendor = "Busca en la documentación del servicio lo que dijo.";
const between = `${vendor} Algo entre el servidor y él puede estar respondiendo en su lugar.`;
const shorter =
  "Envía un aviso más corto: título, texto, datos, botones y direcciones cuentan juntos.";

export const reasons: typeof portuguese = {
  gone: {
    title: "El navegador ya no recibe",
    meaning:
      "La persona retiró el permiso, limpió el navegador o dejó de usarlo: el servicio de push terminó el registro.",
    remedy: `${nothing} Si la persona vuelve al sitio con permiso, el registro vuelve por sí solo. Un navegador que se limpió vuelve como registro nuevo.`,
  },
  throttled: {
    title: "El servicio pidió ir más despacio",
    meaning: "El servicio de push pide menos envíos (429; en Windows también 406).",
    remedy: "Sigue después de la pausa; no hay que hacer nada.",
  },
  "service-unavailable": {
    title: "El servicio tuvo un error",
    meaning: "El servicio de push respondió con un error suyo (5xx).",
    remedy: `${again} Si dura, mira la página de estado del servicio.`,
  },
  "service-timed-out": {
    title: "El pedido tardó en llegar al servicio",
    meaning: "El servicio de push no recibió el pedido entero a tiempo (408).",
    remedy: again,
  },
  "answer-timed-out": {
    title: "El servicio no respondió a tiempo",
    meaning: "No llegó ninguna respuesta en el plazo. El envío puede haber sido aceptado.",
    remedy: `${again} Si dura, comprueba que la red de esta máquina no está sobrecargada, y la página de estado del servicio.`,
  },
  "stream-broken": {
    title: "La conexión se cortó a medias",
    meaning: "La conexión se cortó en el camino. El envío puede haber sido aceptado.",
    remedy: again,
  },
  "stream-refused": {
    title: "El servicio no miró el pedido",
    meaning: "El servicio de push no miró este pedido, dos veces (REFUSED_STREAM o GOAWAY).",
    remedy: again,
  },
  "name-not-resolved": {
    title: "No se encontró el nombre del servicio",
    meaning: "El DNS no respondió por la dirección del servicio de push.",
    remedy:
      "Comprueba el DNS de esta máquina: el nombre del detalle debe encontrarse aquí. En una red sin DNS, define SINETA_PUSH_ROUTES.",
  },
  "connect-failed": {
    title: "No hubo conexión",
    meaning:
      "No se pudo conectar con el servicio de push, o la conexión terminó antes de cualquier pedido.",
    remedy: reach,
  },
  "connect-timed-out": {
    title: "La conexión tardó demasiado",
    meaning: "Ninguna conexión utilizable con el servicio de push estuvo lista en el plazo.",
    remedy: `${reach} Un firewall que descarta paquetes causa esto.`,
  },
  "tls-failed": {
    title: "La conexión segura falló",
    meaning:
      "La negociación de TLS falló; a menudo es un certificado en el que esta máquina no confía.",
    remedy:
      "Comprueba el reloj de esta máquina. Si algo entre ella y el servicio de push tiene un certificado propio (un proxy, una prueba), confía en su autoridad con NODE_EXTRA_CA_CERTS e inicia el servidor de nuevo.",
  },
  "queue-timed-out": {
    title: "Su turno no llegó a tiempo",
    meaning:
      "El plazo pasó antes de que el servicio de push permitiera un pedido más. No se envió.",
    remedy: again,
  },
  "queue-full": {
    title: "Hay demasiados pedidos en la cola",
    meaning: "Ya esperan demasiados pedidos por este servicio de push. No se envió.",
    remedy: again,
  },
  withdrawn: {
    title: "Retirado antes de enviarse",
    meaning: "Se retiró antes de empezar: el aviso se canceló o el navegador salió. No se envió.",
    remedy: nothing,
  },
  "sender-closed": {
    title: "El servidor fue detenido",
    meaning: "El servidor se detuvo antes de que llegara la respuesta.",
    remedy: "Se envía cuando el servidor vuelva a funcionar.",
  },
  "sender-failed": {
    title: "Un error del servidor",
    meaning:
      "Lo que envía en este servidor terminó por un error propio antes de que llegara la respuesta. El envío puede haber sido aceptado.",
    remedy: "Mira el log del servidor e informa de lo que dice.",
  },
  "vapid-refused": {
    title: "La clave del proyecto fue rechazada",
    meaning:
      "El servicio rechazó la clave o el token VAPID (401, 403, o un 400 que habla de eso). El error es del servidor, nunca del navegador.",
    remedy:
      "Comprueba el reloj de esta máquina y SINETA_VAPID_SUBJECT, luego inicia el servidor de nuevo. Mientras tanto no se quita a nadie.",
  },
  "too-large": {
    title: "El aviso es demasiado grande",
    meaning: "El contenido es mayor de lo que el servicio de push acepta (413).",
    remedy: shorter,
  },
  redirect: {
    title: "El servicio mandó a otra dirección",
    meaning: "El servicio de push respondió con una redirección, que nunca se sigue (3xx).",
    remedy: between,
  },
  "request-refused": {
    title: "El servicio rechazó el pedido",
    meaning: "El servicio de push rechazó el pedido de otra manera (4xx).",
    remedy: vendor,
  },
  "unexpected-status": {
    title: "Respuesta desconocida",
    meaning: "La respuesta tiene un código que el estándar (RFC 8030) no conoce.",
    remedy: between,
  },
  "endpoint-not-allowed": {
    title: "La dirección no está permitida",
    meaning: "Sineta no puede enviar a esta dirección; el detalle dice por qué.",
    remedy: "Si es un servicio de push tuyo, permite su nombre con SINETA_PUSH_HOSTS.",
  },
  "address-not-allowed": {
    title: "La dirección no es pública",
    meaning: "El nombre del servicio no lleva a una dirección pública, y ninguna ruta lleva allí.",
    remedy:
      "Comprueba el DNS de esta máquina. Si el servicio de push está en tu propia red, indícalo en SINETA_PUSH_ROUTES.",
  },
  "keys-unusable": {
    title: "Las claves del navegador no sirven",
    meaning: "Una de las claves del registro (p256dh o auth) no puede usarse.",
    remedy: "No se puede enviar nada a este navegador hasta que se registre de nuevo.",
  },
  "plaintext-too-large": {
    title: "El aviso es demasiado grande",
    meaning: "El contenido pasa de 3.993 bytes.",
    remedy: shorter,
  },
  "options-invalid": {
    title: "Validez o urgencia fuera del estándar",
    meaning:
      "La validez, la urgencia o la clave no es una de las que el estándar (RFC 8030) permite.",
    remedy: "Cuéntaselo al soporte, con el detalle: un aviso así debería haber sido rechazado.",
  },
  unexpected: {
    title: "Un error inesperado",
    meaning: "Ocurrió en el servidor algo que no debería ocurrir; el detalle tiene el error.",
    remedy: "Mira el registro (log) del servidor, y cuéntaselo al soporte, con el detalle.",
  },
  unavailable: {
    title: "El servicio no responde",
    meaning: "El servicio de push no responde, o solo con errores suyos (5xx).",
    remedy: `${reach} Si llega, espera: se intenta de nuevo solo.`,
  },
  "refuses-all": {
    title: "El servicio lo rechaza todo",
    meaning: "El servicio de push rechaza todos los envíos, y no por la clave VAPID.",
    remedy: `${vendor} Corrígelo, luego inicia el servidor de nuevo.`,
  },
  "vapid-key-unknown": {
    title: "La clave del registro ya no existe",
    meaning: "El registro se hizo con una clave VAPID que el proyecto no tiene.",
    remedy:
      "Devuelve la carpeta de datos que tiene la clave; quien cargue el sitio se suscribe con la actual.",
  },
  expired: {
    title: "El plazo terminó",
    meaning: "La validez del aviso terminó antes de que el servicio de push lo aceptara.",
    remedy: "Da más validez al próximo aviso, o mira en Inicio qué lo retuvo.",
  },
  cancelled: {
    title: "Cancelado antes de salir",
    meaning: "El aviso se canceló antes de que el servicio de push lo aceptara.",
    remedy: nothing,
  },
  "not-in-audience": {
    title: "Salió del público",
    meaning:
      "El navegador salió, o ya no está entre aquellos para quienes es el aviso, antes de un nuevo intento.",
    remedy: nothing,
  },
  "never-accepted": {
    title: "El servidor nunca aceptó nada",
    meaning:
      "El servidor de push nunca aceptó un envío, mientras otros sí: probablemente es inventado. El registro se conserva.",
    remedy: "El próximo aviso lo prueba una vez, y sigue si acepta.",
  },
  moved: {
    title: "Cambió de suscripción",
    meaning: "El navegador tiene ahora otra suscripción, y recibe por ella. Aún no se envió.",
    remedy: nothing,
  },
  renewed: {
    title: "Volvió con otra suscripción",
    meaning: "La suscripción había terminado, y el navegador volvió entretanto. Se envía allí.",
    remedy: nothing,
  },
};
