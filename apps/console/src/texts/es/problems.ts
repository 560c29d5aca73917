import type { Texts } from "../pt/index.ts";

export const problems: Texts["problems"] = {
  "log-in-refused": "El correo o la contraseña no coinciden.",
  "second-factor-missing": "Falta el código del segundo factor.",
  "second-factor-wrong": "Este código no coincide. Revisa también el reloj del teléfono.",
  "too-many-attempts": "Demasiados intentos. Espera unos minutos e inténtalo de nuevo.",
  "password-short": "La contraseña es demasiado corta: usa 10 caracteres o más.",
  "password-long": "La contraseña es demasiado larga: usa 200 caracteres como máximo.",
  "password-common": "Esta contraseña es demasiado común y fácil de adivinar. Elige otra.",
  "password-like-email": "La contraseña es casi solo tu correo: añade otras palabras.",
  "invitation-gone": "Esta invitación ya se usó, se retiró o venció. Pide otra.",
  "invitation-for-another": "Esta invitación es para otro correo.",
  "email-taken": "Ya existe una cuenta con este correo: toca “Ya tengo cuenta”.",
  "passwords-busy": "El servidor está ocupado. Intenta de nuevo en un momento.",
  "body-invalid": "Revisa lo que completaste.",
  "topic-taken": "Ya existe un tema con este nombre: elige otro, o cambia el que existe.",
  "topics-exhausted": "El proyecto ya tiene 1.000 temas, el máximo. Quita uno primero.",
  "topic-unknown": "No hay ningún tema con este nombre. Recarga la página.",
  "registration-not-found":
    "No hay registro con este token. Revísalo; los registros terminados se quitan después de un tiempo.",
  "session-ended": "Tu sesión terminó. Entra de nuevo.",
  "session-missing": "Entra para continuar.",
  "role-missing": "Tu papel en este proyecto no lo permite. Pídelo a un propietario.",
  "password-wrong": "Esta no es la contraseña actual. Escríbela de nuevo.",
  "password-missing": "Entraste hace más de 10 minutos: escribe tu contraseña para continuar.",
  "code-wrong":
    "Este código no es correcto o ya se usó. Espera el siguiente y revisa el reloj del teléfono.",
  "second-factor-present": "El segundo factor ya está activado. Recarga la página.",
  "second-factor-absent":
    "El segundo factor no está activado. Recarga la página y empieza de nuevo.",
  "passkey-invalid":
    "La solicitud venció o no coincide. Inténtalo de nuevo, en menos de 5 minutos.",
  "passkey-known": "Esta llave de acceso ya está en uso. Crea otra.",
  "passkeys-exhausted": "Ya tienes 20 llaves de acceso. Quita una primero.",
  "passkey-unknown": "Esta llave de acceso ya no existe. Recarga la página.",
  "session-unknown": "Esta sesión ya terminó.",
  "last-owner":
    "Es la única persona propietaria del proyecto. Haz propietaria a otra persona primero.",
  "operator-unknown": "Esta persona ya no está en el proyecto. Recarga la página.",
  "api-key-not-found": "Esta clave ya no vale. Recarga la página.",
  "expiry-in-past": "El plazo ya pasó. Elige otro.",
  "origin-not-allowed":
    "Esta dirección no es de ninguno de los orígenes del proyecto. Añade el origen en los ajustes del proyecto o, si está definida, en SINETA_ORIGINS.",
  "cross-site-refused":
    "El panel se abrió en una dirección que no es la de Sineta, y por eso no se guardó nada.",
  "origins-set-by-environment":
    "Los orígenes vienen de SINETA_ORIGINS: cambia la variable en el servidor e inícialo de nuevo.",
  "too-many-requests":
    "Hubo demasiadas solicitudes en poco tiempo. Espera un minuto e inténtalo de nuevo.",
  "message-quota-reached":
    "El proyecto ya publicó todos los avisos que puede en esta hora. Espera, o sube el límite en los ajustes.",
  "token-not-found":
    "Este navegador ya no está registrado. Recarga la página y activa la campana de nuevo.",
  "storage-full":
    "El disco del servidor está lleno: no se guardó nada. Libera espacio e inténtalo de nuevo.",
  offline: "Sin conexión: no se envió nada. Inténtalo de nuevo.",
  "server-unreachable": "El servidor no respondió. Revisa la conexión e inténtalo de nuevo.",
  "draft-unknown": "Este borrador ya no existe.",
  "hold-changed": "El envío cambió mientras lo mirabas. Recarga la página.",
  "message-started": "El aviso programado ya empezó a salir y ya no se puede cambiar.",
  "message-ended": "Este aviso ya terminó y ya no se puede cambiar ni cancelar.",
  "message-replaced": "Otro aviso ya reemplazó al aviso programado.",
  "draft-changed": "Este borrador cambió en otro lugar.",
  "draft-published": "Este borrador ya se envió.",
  "drafts-exhausted": "El proyecto ya tiene 200 borradores. Borra algunos.",
  "image-unreadable":
    "Este archivo no es una imagen que todos los navegadores muestren, o está incompleto. Usa PNG, JPEG o WebP.",
  "image-too-large":
    "Esta imagen es demasiado grande, aun reducida. Usa una de hasta 300 kB y 2.048 píxeles.",
  "images-exhausted": "El proyecto ya tiene 500 imágenes. Borra las que ningún aviso usa.",
  "image-in-use": "Un aviso que aún está por salir usa esta imagen. Espera, o cancela el aviso.",
  "image-unknown": "Esta imagen ya no existe.",
  "notification-too-large": "El aviso pasa de lo que llevan los servicios de push. Acórtalo.",
  "condition-invalid": "Esta condición no se puede leer.",
  "schedule-in-past": "El momento elegido ya pasó.",
  "schedule-too-far": "Elige un momento dentro de un año.",
  "message-not-found": "Este aviso no existe.",
  "json-malformed":
    "El servidor no pudo leer la solicitud. Recarga la página e inténtalo de nuevo.",
  "body-too-large": "Esto es demasiado grande para el servidor. Acórtalo.",
  "content-type-unsupported":
    "El servidor no acepta este tipo de contenido. Recarga la página e inténtalo de nuevo.",
  "content-encoding-unsupported":
    "El servidor no acepta contenido comprimido. Mira si un proxy delante de él comprime las solicitudes.",
  "charset-unsupported":
    "El servidor solo lee texto en UTF-8. Mira si un proxy delante de él cambia las cabeceras.",
  "subscription-key-invalid":
    "La suscripción de este navegador tiene una clave no válida. Activa los avisos de nuevo.",
  "subscription-auth-invalid":
    "La suscripción de este navegador tiene un secreto no válido. Activa los avisos de nuevo.",
  "endpoint-not-allowed":
    "Sineta no envía al servicio de push de este navegador. Si el servicio es tuyo, permite su nombre con SINETA_PUSH_HOSTS.",
  "vapid-key-unknown":
    "La suscripción de este navegador se hizo con otra clave. Recarga la página y activa los avisos de nuevo.",
  "client-secret-malformed":
    "El servidor no reconoce este navegador. Recarga la página y activa los avisos de nuevo.",
  "origin-missing":
    "La solicitud llegó sin la cabecera Origin. Mira si un proxy delante del servidor la quita.",
  "project-unknown": "Este proyecto no existe.",
  "registration-unknown":
    "Este navegador ya no está registrado. Recarga la página y activa los avisos de nuevo.",
  "registration-refused":
    "El servidor no acepta esta suscripción. Recarga la página y activa los avisos de nuevo.",
  "subscription-gone":
    "El servicio de push terminó la suscripción de este navegador. Recarga la página y activa los avisos de nuevo.",
  "topic-kept": "Este tema es cerrado: solo tu sistema o tu equipo pone a alguien en él.",
  "user-token-invalid":
    "El servidor no acepta la identificación que el sitio dio a este usuario. Revisa la clave con que el sitio la firma.",
  "user-token-expired":
    "La identificación que el sitio dio a este usuario venció. Recarga la página.",
  "quota-reached":
    "El proyecto ya tiene todos los navegadores que puede tener. Sube el límite en los ajustes.",
  "too-many-at-once":
    "El servidor está haciendo muchos trabajos como este. Espera un poco e inténtalo de nuevo.",
  "dry-run-limit-reached":
    "Se pidieron muchas cuentas de público en poco tiempo. Espera un minuto.",
  "export-limit-reached":
    "Exportaste muchas veces en poco tiempo. Espera un minuto e inténtalo de nuevo.",
  "receipt-refused":
    "El servidor no acepta esta confirmación: no es de este aviso, o llegó demasiado tarde.",
  "api-key-missing": "Falta la clave de API, o alguien que haya entrado. Entra de nuevo.",
  "api-key-invalid": "Esta clave de API no vale: es de otro proyecto, se revocó o venció.",
  "scope-missing": "Esta clave de API no tiene permiso para esto.",
  "passkey-refused":
    "Esta llave de acceso no se aceptó. Inténtalo de nuevo, o entra con la contraseña.",
  "idempotency-key-malformed":
    "La solicitud tiene una identificación no válida. Recarga la página e inténtalo de nuevo.",
  "idempotency-key-reused":
    "Ya se envió otro aviso desde esta página. Recárgala y mira la lista de avisos.",
  "streams-exhausted": "Muchas páginas siguen avisos en vivo. Cierra algunas.",
  "route-unknown":
    "Esta página pidió algo que el servidor no conoce. Recárgala: tal vez el servidor cambió de versión.",
  "not-ready":
    "El servidor no puede trabajar ahora. Inténtalo de nuevo en un momento; el log del servidor dice la causa.",
  internal: "El servidor falló. Inténtalo de nuevo; el log del servidor dice la causa.",
  unexpected: "Algo falló en esta página. Recárgala e inténtalo de nuevo.",
};

export const unknownProblem: Texts["unknownProblem"] = (code) =>
  `Algo salió mal (${code}). Inténtalo de nuevo.`;
