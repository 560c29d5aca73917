/** The console's words for people. */
export const texts = {
  productName: "Sineta",
  console: "Painel",
  email: "E-mail",
  name: "Nome",
  password: "Senha",
  showPassword: "Mostrar a senha",
  passwordHint: "De 10 a 200 caracteres, e nenhuma senha comum.",
  logIn: "Entrar",
  logOut: "Sair",
  secondFactor: "Código do aplicativo autenticador, ou um código de recuperação",
  loading: "Carregando…",
  invitedAs: (role: string, project: string) => `Convite para ${role} do projeto ${project}`,
  firstOwner: "Crie a sua conta para começar.",
  createAccount: "Criar conta",
  acceptInvitation: "Aceitar o convite",
  acceptAs: (email: string) => `Você entrou como ${email}.`,
  toLogIn: "Ir para a entrada",
  greeting: (name: string) => `Olá, ${name}`,
  projects: "Seus projetos",
  sessions: "Onde a sua conta está aberta",
  thisSession: "este navegador",
  lastUsed: (when: string, address: string) => `Último uso em ${when}, de ${address}`,
  endSession: "Encerrar",
  endSessionOf: (device: string) => `Encerrar a sessão em ${device}`,
  unknownDevice: "Navegador desconhecido",
  device: (browser: string, system: string) => `${browser} em ${system}`,
  roles: { owner: "proprietário(a)", editor: "editor(a)", viewer: "leitor(a)" },
} as const;

/** What went wrong, by the codes of the server. */
const problems: Readonly<Record<string, string>> = {
  "log-in-refused": "E-mail ou senha não conferem.",
  "second-factor-missing": "Falta o código do segundo fator.",
  "second-factor-wrong": "Este código não confere. Confira também o relógio do celular.",
  "too-many-attempts": "Foram muitas tentativas. Espere alguns minutos e tente de novo.",
  "password-short": "A senha é curta demais: use 10 caracteres ou mais.",
  "password-long": "A senha é longa demais: use no máximo 200 caracteres.",
  "password-common": "Esta senha é comum demais e fácil de adivinhar. Escolha outra.",
  "password-like-email": "A senha não pode conter o seu e-mail.",
  "invitation-gone": "Este convite já foi usado, foi retirado ou venceu. Peça outro.",
  "invitation-for-another": "Este convite é para outro e-mail.",
  "email-taken": "Já existe uma conta com este e-mail: entre com ela e abra o convite de novo.",
  "passwords-busy": "O servidor está ocupado. Tente de novo em instantes.",
  "body-invalid": "Confira o que você preencheu.",
  "session-ended": "A sua sessão terminou. Entre de novo.",
  "server-unreachable": "O servidor não respondeu. Confira a conexão e tente de novo.",
};

export function problemText(code: string): string {
  return problems[code] ?? `Algo deu errado (${code}). Tente de novo.`;
}

/** The language of the texts, for dates and numbers. */
export const locale = "pt-BR";
