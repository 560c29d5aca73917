import type { Texts } from "../pt/index.ts";

export const doctor: Texts["doctor"] = {
  card: "Examen del servidor",
  what: "El servidor mira los ajustes, el disco, la dirección pública y el camino hasta los servicios de push. No se envía ningún aviso. En la máquina del servidor, este comando mira también la base de datos entera:",
  examining: "Examinando. Esto tarda unos segundos…",
  again: "Examinar de nuevo",
  allWell: "Todo bien.",
  toDo: (count) => (count === 1 ? "1 cosa por hacer." : `${count} cosas por hacer.`),
  notSeen: (count) =>
    count === 1 ? "1 cosa no se pudo ver." : `${count} cosas no se pudieron ver.`,
  groups: { "to-do": "Qué hacer", unknown: "Sin verificar", ok: "En orden" },
  checks: {
    settings: "Configuración",
    server: "Servidor",
    database: "Base de datos",
    secret: "Secreto",
    files: "Archivos",
    disk: "Disco",
    clock: "Reloj",
    "public-url": "Dirección pública",
    dns: "Nombre en el DNS",
    certificate: "Certificado",
    proxy: "Proxy",
    origin: "Origen de las páginas",
    "push-service": "Servicio de push",
  },
  findings: {
    "settings-good": { title: "Ninguna variable deja dudas.", remedy: "" },
    "setting-doubtful": { title: "Una variable deja dudas. El servidor dice: {seen}", remedy: "" },

    "server-runs": {
      title: "El servidor en {subject} está listo. La versión es {seen}.",
      remedy: "",
    },
    "server-answers": { title: "Un servidor en {subject} está listo.", remedy: "" },
    "server-stopped": {
      title: "Ningún servidor usa la carpeta de datos {subject}.",
      remedy:
        "Inicia el servidor: `systemctl start sineta`, `podman start sineta` o `sineta serve`.",
    },
    "server-silent": {
      title: "Un servidor usa la carpeta de datos, pero nada responde en {subject} ({seen}).",
      remedy: "Da al comando los mismos SINETA_HOST y SINETA_PORT del servidor.",
    },
    "server-foreign": {
      title: "Lo que responde en {subject} no es el servidor de esta carpeta de datos ({seen}).",
      remedy:
        "Da al comando las mismas variables del servidor, y reinicia el servidor si es más antiguo que el comando.",
    },
    "server-not-ready": {
      title: "El servidor en {subject} no está listo (estado {seen}).",
      remedy: "Lee el registro del servidor: dice por qué.",
    },
    "server-outdated": {
      title: "El servidor activo es de la versión {seen}, y la versión {subject} está instalada.",
      remedy: "Reinicia el servidor.",
    },
    "server-older": {
      title: "Un servidor de una versión anterior usa la carpeta de datos {subject}.",
      remedy: "Reinicia el servidor. Entonces trae la base de datos a esta versión.",
    },
    "server-port-unknown": {
      title:
        "Un servidor usa la carpeta de datos, pero SINETA_PORT es 0, así que el diagnóstico no sabe su puerto.",
      remedy: "Define SINETA_PORT.",
    },
    "delivery-held": {
      title: "El envío está detenido desde {seen}.",
      remedy: "`sineta resume` muestra lo que espera, pregunta y reanuda.",
    },

    "database-sound": { title: "La base de datos está entera, con {seen}.", remedy: "" },
    "database-opens": {
      title:
        "El servidor lee y escribe la base de datos. En la máquina, `sineta doctor` mira también cada página de ella.",
      remedy: "",
    },
    "database-old": {
      title: "El próximo inicio del servidor lleva la base de datos a esta versión.",
      remedy: "",
    },
    "database-damaged": {
      title: "La base de datos {subject} está dañada: {seen}",
      remedy:
        "Detén el servidor, saca de ahí {subject}, {subject}-wal y {subject}-shm, y pon ahí una copia de seguridad con `sineta restore FILE`.",
    },
    "database-unusable": {
      title: "La base de datos no se puede usar. El servidor dice: {seen}",
      remedy: "",
    },
    "database-out-of-reach": {
      title: "El diagnóstico no alcanza la base de datos. El comando dice: {seen}",
      remedy: "Llama al diagnóstico como root o como el usuario del servidor.",
    },

    "secret-fits": { title: "El secreto {seen} abre las claves de la base de datos.", remedy: "" },
    "secret-unusable": {
      title: "El secreto no se puede usar. El servidor dice: {seen}",
      remedy: "",
    },

    "files-private": {
      title: "Solo su dueño puede leer los archivos de la carpeta de datos.",
      remedy: "",
    },
    "file-open": {
      title: "Otros usuarios de la máquina pueden leer {subject} (modo {seen}).",
      remedy: "Quítales ese permiso: `chmod go= {subject}`.",
    },
    "file-of-another": {
      title: "{subject} es del usuario {seen}, y la base de datos es de otro.",
      remedy: "Da el archivo al dueño de la base de datos con `chown`.",
    },

    "disk-free": { title: "Quedan {seen} en el disco de la carpeta de datos.", remedy: "" },
    "disk-low": {
      title:
        "Quedan {seen} en el disco de la carpeta de datos, menos que SINETA_DISK_LOW_MIB ({subject}).",
      remedy:
        "Libera espacio, o guarda menos: mira «Keeping only what is needed» en docs/operating.md.",
    },
    "disk-remote": {
      title:
        "La carpeta de datos está en un sistema de archivos de red ({seen}), donde los bloqueos de SQLite no valen.",
      remedy: "Mueve la carpeta de datos a un disco local.",
    },

    "clock-right": { title: "La diferencia con el reloj de {subject} es de {seen}.", remedy: "" },
    "clock-fast": {
      title: "El reloj está {seen} adelantado respecto al de {subject}.",
      remedy: "Deja que la máquina ajuste su reloj por la red: `timedatectl set-ntp true`.",
    },
    "clock-slow": {
      title: "El reloj está {seen} atrasado respecto al de {subject}.",
      remedy: "Deja que la máquina ajuste su reloj por la red: `timedatectl set-ntp true`.",
    },
    "clock-unknown": {
      title: "Ningún servicio de push respondió, así que no hay con qué comparar el reloj.",
      remedy: "",
    },

    "public-url-reached": { title: "El servidor responde en {subject}.", remedy: "" },
    "public-url-local": {
      title:
        "SINETA_PUBLIC_URL no está definida, así que el servidor sirve para desarrollo, solo en esta máquina.",
      remedy: "",
    },
    "public-url-missing": {
      title:
        "SINETA_PUBLIC_URL no está definida, así que invitaciones e imágenes llevan a {subject}.",
      remedy: "Define SINETA_PUBLIC_URL con la dirección en que las personas llegan a Sineta.",
    },
    "public-url-insecure": {
      title: "{subject} no es https, así que los navegadores no muestran la campana ahí.",
      remedy: "Pon delante un proxy con https, y en SINETA_PUBLIC_URL su dirección https.",
    },
    "public-url-silent": {
      title: "Nada responde en {subject} ({seen}).",
      remedy: "Revisa que el proxy esté activo, y en qué direcciones y puertos escucha.",
    },
    "public-url-unreachable": {
      title: "Esta máquina no recibe respuesta de {subject} ({seen}).",
      remedy:
        "Abre la dirección desde otra red. Si los visitantes tampoco reciben respuesta, revisa que el proxy esté activo y que el firewall los deje pasar.",
    },
    "public-url-partly": {
      title: "En {subject}, el proxy no pasa {seen} al servidor.",
      remedy:
        "Haz que el proxy pase todas las rutas de Sineta: mira “Behind a reverse proxy” en docs/operating.md.",
    },
    "public-url-redirects": {
      title: "{subject} redirige a {seen}.",
      remedy: "Pon en SINETA_PUBLIC_URL la dirección final, o quita la redirección.",
    },
    "public-url-foreign": {
      title: "Lo que responde en {subject} no es este servidor ({seen}).",
      remedy:
        "Haz que el proxy pase las rutas de Sineta a SINETA_HOST y SINETA_PORT: mira «Behind a reverse proxy» en docs/operating.md.",
    },
    "public-url-not-asked": {
      title: "El diagnóstico no sabe si este servidor responde en {subject}.",
      remedy: "Haz lo que dicen los otros resultados, y llama al diagnóstico otra vez.",
    },

    "name-resolves": { title: "{subject} lleva a {seen}.", remedy: "" },
    "name-unknown": {
      title: "Ningún servidor de nombres conoce {subject} ({seen}).",
      remedy:
        "Haz que el nombre lleve a la dirección pública de la máquina, con un registro A o AAAA.",
    },
    "name-private": {
      title: "{subject} lleva a {seen}. Solo visitantes de la misma red privada llegan ahí.",
      remedy: "",
    },
    "name-local": {
      title:
        "En esta máquina {subject} lleva a {seen}, así que el diagnóstico no ve adónde lleva el nombre a los visitantes.",
      remedy: "Pregunta por el nombre en otra máquina: `getent ahosts {subject}`.",
    },
    "address-dead": {
      title: "{subject} lleva también a {seen}, donde nada responde.",
      remedy: "Quita el registro del DNS, o haz que el proxy escuche ahí.",
    },

    "certificate-valid": { title: "El certificado de {subject} vale hasta {seen}.", remedy: "" },
    "certificate-ends-soon": {
      title: "El certificado de {subject} termina pronto: {seen}.",
      remedy: "Renueva el certificado, y mira por qué no se renovó solo.",
    },
    "certificate-ended": {
      title: "El certificado de {subject} terminó: {seen}.",
      remedy: "Renueva el certificado. Si Sineta misma sirve https, reinicia el servidor.",
    },
    "certificate-elsewhere": {
      title: "El certificado que muestra {subject} es de {seen}.",
      remedy: "Consigue un certificado para el nombre que está en SINETA_PUBLIC_URL.",
    },
    "certificate-incomplete": {
      title: "{subject} muestra el certificado sin el que lo firmó ({seen}).",
      remedy:
        "Indica el archivo con la cadena entera, como `fullchain.pem`. Si la autoridad es tuya, indica su certificado en NODE_EXTRA_CA_CERTS.",
    },
    "certificate-untrusted": {
      title: "Los navegadores no confían en el certificado de {subject} ({seen}).",
      remedy:
        "Consigue uno de una autoridad pública, como Let's Encrypt. Si la autoridad es tuya, indica su certificado en NODE_EXTRA_CA_CERTS.",
    },
    "certificate-not-loaded": {
      title: "El servidor todavía muestra otro certificado que el de SINETA_TLS_CERT.",
      remedy: "Reinicia el servidor.",
    },

    "proxy-right": {
      title:
        "Las peticiones a {subject} llegan enteras, y el servidor ve esta máquina como {seen}.",
      remedy: "",
    },
    "proxy-unnamed": {
      title:
        "Las peticiones pasan por un proxy en {seen} que no está en SINETA_TRUSTED_PROXIES, así que el servidor no distingue a los visitantes.",
      remedy: "Añade {seen} a SINETA_TRUSTED_PROXIES y reinicia el servidor.",
    },
    "proxy-hides-visitors": {
      title:
        "El proxy en {seen} no envía X-Forwarded-For, así que el servidor toma a todos los visitantes por uno solo.",
      remedy:
        "Haz que el proxy envíe la cabecera: en nginx, `proxy_set_header X-Forwarded-For $remote_addr;`.",
    },
    "proxy-believes-visitors": {
      title:
        "El proxy pasa el X-Forwarded-For que escribe un visitante, así que un visitante puede darse cualquier dirección.",
      remedy:
        "Haz que el proxy cambie la cabecera: en nginx, `proxy_set_header X-Forwarded-For $remote_addr;`.",
    },
    "proxy-drops-headers": {
      title: "El proxy quita cabeceras de las peticiones: {seen}.",
      remedy: "Haz que el proxy pase todas las cabeceras.",
    },
    "proxy-changes-host": {
      title: "El proxy envía al servidor el host {seen}, y el visitante pide {subject}.",
      remedy: "Haz que el proxy pase el host: en nginx, `proxy_set_header Host $http_host;`.",
    },
    "proxy-refuses-bodies": {
      title:
        "El proxy rechaza un cuerpo de 300 kB, que es el tamaño de una imagen (estado {seen}).",
      remedy: "Permite ese tamaño: en nginx, `client_max_body_size 1m;`.",
    },

    "origins-own": { title: "Solo las páginas de la propia Sineta pueden registrar.", remedy: "" },
    "origin-good": { title: "{subject} tiene todo lo que necesita la campana.", remedy: "" },
    "origin-lacks": {
      title: "Falta algo en {subject} para que la campana funcione: {seen}.",
      remedy: "Revisa la página en «Instalar la campana», donde está escrito qué hacer.",
    },
    "origins-more": {
      title: "El diagnóstico no miró {seen} orígenes más.",
      remedy: "Revisa sus páginas en «Instalar la campana».",
    },
    "origin-local": {
      title:
        "En esta máquina {subject} lleva a una dirección que no es pública, así que el diagnóstico no mira la página.",
      remedy:
        "Abre la página en otra máquina. Si el nombre está en `/etc/hosts` de aquí, quítalo y vuelve a llamar al diagnóstico.",
    },
    "origin-silent": {
      title: "El diagnóstico no puede leer la página {subject} ({seen}).",
      remedy:
        "Revisa que exista. Si terminó para siempre, quita el origen de la lista con `sineta settings origins` o en SINETA_ORIGINS.",
    },

    "push-service-reached": { title: "{subject} responde.", remedy: "" },
    "push-service-name-unknown": {
      title: "Ningún servidor de nombres conoce {subject} ({seen}).",
      remedy:
        "Revisa que los servidores de nombres de la máquina respondan: `getent hosts {subject}`.",
    },
    "push-service-silent": {
      title: "No fue posible llegar a {subject} ({seen}).",
      remedy:
        "Haz que el firewall permita conexiones hasta ahí por el puerto 443, y revisa que los servidores de nombres de la máquina respondan.",
    },
    "push-service-untrusted": {
      title: "El certificado en {subject} no es el del servicio de push ({seen}).",
      remedy:
        "Algo en el camino abre las conexiones: haz ahí una excepción para {subject}, o indica la autoridad en NODE_EXTRA_CA_CERTS. Si el plazo del certificado terminó o aún no empezó, ajusta el reloj.",
    },
    "push-service-elsewhere": {
      title: "{subject} lleva a una dirección que no es pública ({seen}).",
      remedy: "Revisa que los servidores de nombres de la máquina no lo bloqueen.",
    },
    "push-service-held": {
      title: "Los envíos a {subject} están en espera: {seen}.",
      remedy: "`sineta status` dice qué respondió el servicio de push, y qué hacer.",
    },
  },
};
