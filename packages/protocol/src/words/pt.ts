/** Portuguese words that the console shows and that its exports write. */
import { browserNames, systemNames } from "./proper-names.ts";

export const messageStates = {
  scheduled: "Agendado",
  sending: "Enviando",
  paused: "Em pausa",
  done: "Concluído",
  cancelled: "Cancelado",
  replaced: "Substituído",
};

export const targets = {
  all: "Todo o público",
  topic: "Um tópico",
  condition: "Uma condição",
  user: "Um usuário",
  token: "Um navegador",
  tokens: "Alguns navegadores",
};

export const urgencies = {
  "very-low": "Muito baixa",
  low: "Baixa",
  normal: "Normal",
  high: "Alta",
};

export const pushServices = {
  fcm: "Google (Chrome, Edge, Opera)",
  mozilla: "Mozilla (Firefox)",
  apple: "Apple (Safari)",
  windows: "Microsoft (Edge no Windows)",
  other: "Outro serviço",
};

export const browsers = {
  ...browserNames,
  other: "Outro",
  unknown: "Desconhecido",
};

export const systems = {
  ...systemNames,
  other: "Outro",
  unknown: "Desconhecido",
};

/** Names for a language that no code names, and for none. */
export const languages = { other: "Outro", unknown: "Desconhecido" };

export const registrationStates = {
  live: "Alcançável",
  left: "Saiu",
  gone: "Inscrição encerrada",
  removed: "Removido por operador",
};

/** What became of a message at one registration. */
export const outcomes = {
  retry: "Vai ser tentado de novo",
  gone: "Inscrição encerrada",
  rejected: "Recusado",
  failed: "Não enviado",
};

export const publishers = {
  operator: "Pessoa da equipe",
  "api-key": "Chave de API",
  "command-line": "Linha de comando",
};

export const sums = {
  all: "Todos",
};

/** Headings and labels of counts, by what became of a message. */
export const counts = {
  accepted: "Aceitos",
  retry: "Tentar de novo",
  gone: "Encerrados",
  rejected: "Recusados",
  failed: "Não enviados",
  unsent: "Pendentes",
  displayed: "Exibidos",
  clicked: "Clicados",
  closed: "Fechados",
};

/** Headings of exported tables. */
export const columns = {
  ...counts,
  id: "ID",
  title: "Título",
  body: "Texto",
  link: "Link",
  state: "Situação",
  target: "Para quem",
  target_detail: "Detalhe do público",
  urgency: "Urgência",
  ttl_seconds: "Validade (segundos)",
  published_by: "Publicado com",
  publisher: "Publicado por",
  created_at: "Criado",
  schedule_at: "Agendado para",
  local_time: "No horário de cada pessoa",
  started_at: "Começou",
  ended_at: "Terminou",
  registrations: "Navegadores",
  replaces: "No lugar de (ID)",
  replaced_by: "Substituído por (ID)",
  token: "Token",
  push_service: "Serviço de push",
  outcome: "O que aconteceu",
  reason: "Motivo",
  detail: "Detalhe",
  attempts: "Tentativas",
  changed_at: "Última mudança",
  retry_at: "Próxima tentativa",
  registered_at: "Registrado",
  origin: "Site",
  browser: "Navegador",
  system: "Sistema",
  language: "Idioma",
  time_zone: "Fuso horário",
  user: "Usuário do site",
  topics: "Tópicos",
  confirmed_at: "Confirmado",
};

/** What exported files are called. */
export const files = {
  messages: "avisos",
  figures: "aviso-numeros",
  exceptions: "aviso-quem-nao-recebeu",
  registrations: "inscritos",
};
