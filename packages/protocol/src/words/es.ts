import { browserNames, systemNames } from "./proper-names.ts";
import type * as portuguese from "./pt.ts";

export const messageStates: typeof portuguese.messageStates = {
  scheduled: "Programado",
  sending: "Enviando",
  paused: "En pausa",
  done: "Terminado",
  cancelled: "Cancelado",
  replaced: "Reemplazado",
};

export const targets: typeof portuguese.targets = {
  all: "Todo el público",
  topic: "Un tema",
  condition: "Una condición",
  user: "Un usuario",
  token: "Un navegador",
  tokens: "Algunos navegadores",
};

export const urgencies: typeof portuguese.urgencies = {
  "very-low": "Muy baja",
  low: "Baja",
  normal: "Normal",
  high: "Alta",
};

export const pushServices: typeof portuguese.pushServices = {
  fcm: "Google (Chrome, Edge, Opera)",
  mozilla: "Mozilla (Firefox)",
  apple: "Apple (Safari)",
  windows: "Microsoft (Edge en Windows)",
  other: "Otro servicio",
};

export const browsers: typeof portuguese.browsers = {
  ...browserNames,
  other: "Otro",
  unknown: "Desconocido",
};

export const systems: typeof portuguese.systems = {
  ...systemNames,
  other: "Otro",
  unknown: "Desconocido",
};

export const languages: typeof portuguese.languages = { other: "Otro", unknown: "Desconocido" };

export const registrationStates: typeof portuguese.registrationStates = {
  live: "Alcanzable",
  left: "Salió",
  gone: "Suscripción terminada",
  removed: "Quitado por un operador",
};

export const outcomes: typeof portuguese.outcomes = {
  retry: "Se va a reintentar",
  gone: "Suscripción terminada",
  rejected: "Rechazado",
  failed: "No enviado",
};

export const publishers: typeof portuguese.publishers = {
  operator: "Persona del equipo",
  "api-key": "Clave de API",
  "command-line": "Línea de comandos",
};

export const sums: typeof portuguese.sums = {
  all: "Todos",
};

export const counts: typeof portuguese.counts = {
  accepted: "Aceptados",
  retry: "Por reintentar",
  gone: "Terminados",
  rejected: "Rechazados",
  failed: "No enviados",
  unsent: "Pendientes",
  displayed: "Mostrados",
  clicked: "Con clic",
  closed: "Cerrados",
};

export const columns: typeof portuguese.columns = {
  ...counts,
  id: "ID",
  title: "Título",
  body: "Texto",
  link: "Enlace",
  state: "Estado",
  target: "Para quién",
  target_detail: "Detalle del público",
  urgency: "Urgencia",
  ttl_seconds: "Validez (segundos)",
  published_by: "Publicado con",
  publisher: "Publicado por",
  created_at: "Creado",
  schedule_at: "Programado para",
  local_time: "A la hora local de cada persona",
  started_at: "Empezó",
  ended_at: "Terminó",
  registrations: "Navegadores",
  replaces: "En lugar de (ID)",
  replaced_by: "Reemplazado por (ID)",
  token: "Token",
  push_service: "Servicio de push",
  outcome: "Qué pasó",
  reason: "Motivo",
  detail: "Detalle",
  attempts: "Intentos",
  changed_at: "Último cambio",
  retry_at: "Próximo intento",
  registered_at: "Registrado",
  origin: "Sitio",
  browser: "Navegador",
  system: "Sistema",
  language: "Idioma",
  time_zone: "Zona horaria",
  user: "Usuario del sitio",
  topics: "Temas",
  confirmed_at: "Confirmado",
};

export const files: typeof portuguese.files = {
  messages: "avisos",
  figures: "aviso-cifras",
  exceptions: "aviso-quien-no-recibio",
  registrations: "suscriptores",
};
