import {
  browsers,
  languages,
  pushServices,
  registrationStates,
  systems,
} from "@sineta/protocol/words/pt";

/** The first page, who can be reached, and the topics. */
export const audience = {
  browsers,
  systems,
  languages,
  pushServices,
  states: registrationStates,
  active: "Inscritos ativos",
  inDays: (days: number) => `em ${days} dias`,
  lastNotice: "Último aviso",
  noNotices: "Nenhum aviso foi enviado ainda.",
  clickedOfSeen: (rate: string) => `${rate} de quem viu clicou.`,
  usualRate: (rate: string) => `Sua média: ${rate}.`,
  next: "A seguir",
  nothingNext: "Nada agendado, nenhum rascunho.",
  nothingScheduled: "Nada agendado.",
  whereTheyAre: ", no horário de cada um",
  draft: "Rascunho:",
  saved: (when: string) => `salvo ${when}`,
  moreScheduled: (count: number, shown: string, hasMore: boolean) =>
    count === 1 ? "Mais 1 agendado" : `Mais ${hasMore ? "de " : ""}${shown} agendados`,
  moreDrafts: (count: number, shown: string) =>
    count === 1 ? "Mais 1 rascunho" : `Mais ${shown} rascunhos`,
  enteredAndLeft: "Entraram e saíram",
  entered: (count: number, shown: string) => `${shown} ${count === 1 ? "entrou" : "entraram"}`,
  gotLost: (count: number, shown: string) => `${shown} ${count === 1 ? "saiu" : "saíram"}`,
  nobodyMoved: "Ninguém entrou nem saiu neste período.",
  today: "hoje",
  range: "Período",
  lastDays: (days: number) => `${days} dias`,
  chartTitle: "Entradas e saídas por dia",
  chartLabel: (days: number) =>
    `Gráfico dos últimos ${days} dias: quem entrou, para cima; quem saiu, para baixo. Os mesmos números estão na tabela abaixo.`,
  asTable: "Ver os números em tabela",
  day: "Dia (UTC)",
  registered: "Novos",
  returned: "Voltaram",
  renewed: "Trocaram de inscrição",
  left: "Saíram por si",
  gone: "Inscrição encerrada",
  removed: "Removidos por operador",
  liveAtEnd: "Ativos no fim do dia",
  renewedWhat:
    "“Trocaram de inscrição” não é perda: o mesmo navegador continua alcançável, com um endereço novo. As perdas estão em Inscritos.",
  whoTheyAre: "Quem são",
  latestNotices: "Últimos avisos",
  seeAll: "Ver todos",
  notice: "Aviso",
  sent: "Enviado",
  accepted: "Aceitos",
  displayed: "Exibidos",
  clicked: "Clicados",
  clicks: "Cliques",
  clicksOf: (count: number, shown: string) => `${shown} ${count === 1 ? "clicou" : "clicaram"}`,
  firstSteps: "Primeiros passos",
  firstStepsWhat:
    "Ninguém ativou o sino ainda. Ative-o neste navegador e envie um aviso de teste, ou instale o sino no seu site.",
  walkThrough: "Começar passo a passo",
  installBell: "Instalar o sino no site",

  attention: {
    title: "Precisa de atenção",
    nothing: "Tudo certo por aqui",
    since: (when: string) => `Desde ${when}.`,
    waiting: (count: number, shown: string) =>
      count === 1 ? "1 navegador espera por isso." : `${shown} navegadores esperam por isso.`,
    nextProbe: (when: string) => `Próxima tentativa ${when}.`,
    probeDue: "Próxima tentativa: no próximo envio.",
    keyRefused: (service: string) => `${service}: a chave do projeto foi recusada`,
    keyRefusedWhat:
      "Nada é enviado por lá, e ninguém se perde enquanto isso. Confira o relógio do servidor e o contato em SINETA_VAPID_SUBJECT; depois reinicie o servidor.",
    breakerOpen: (service: string) => `${service}: envio em espera`,
    breakerReasons: {
      unavailable:
        "O serviço não responde ou responde com erros próprios. Confira a rede do servidor e a página de status do serviço; se está tudo bem aí, basta esperar: a Sineta tenta de novo sozinha.",
      throttled:
        "O serviço pediu uma pausa. Não é preciso fazer nada: o envio continua depois dela.",
      "refuses-all":
        "O serviço recusa todos os envios. Veja no aviso o que ele respondeu, corrija isso e reinicie o servidor.",
    },
    nothingAccepted: (service: string) => `${service}: nada foi aceito ainda`,
    nothingAcceptedWhat: (reason: string) =>
      `As tentativas falham (${reason}) e se repetem sozinhas até o prazo do aviso. Se durar, confira a rede do servidor e a página de status do serviço.`,
    keyUnknown: (origin: string) => `${origin}: uma página tem outra chave VAPID`,
    keyUnknownWhat: (keyStart: string, rightStart: string) =>
      `O sino dela não registra ninguém. A chave que ela usa começa com ${keyStart}, e a do projeto com ${rightStart}. Copie de “Instalar o sino” a chave do projeto para a página.`,
    keyUnknownSince: (since: string, refused: number, shown: string, last: string) =>
      refused === 1
        ? `O servidor recusou um registro, ${last}. Com a página corrigida, este item sai da lista em até um dia.`
        : `O servidor recusou ${shown} registros desde ${since}; o último, ${last}. Com a página corrigida, este item sai da lista em até um dia.`,
    toInstall: "Abrir “Instalar o sino”",
    diskLow: "Pouco espaço no disco",
    diskLowWhat: (free: string, threshold: string) =>
      `Restam ${free} no disco da pasta de dados (o limite é ${threshold}). Libere espaço ou aumente o disco: cheio, nada mais é gravado.`,
    registrationsQuota: "Limite de registros quase atingido",
    registrationsQuotaWhat: (used: string, quota: string) =>
      `${used} de ${quota} registros. Ao chegar ao limite, novos navegadores são recusados. O limite muda em Ajustes.`,
    messagesQuota: "Limite de avisos por hora quase atingido",
    messagesQuotaWhat: (used: string, quota: string) =>
      `${used} de ${quota} avisos na última hora. Espere, ou mude o limite em Ajustes.`,
    retentionLate: "A limpeza está atrasada",
    retentionLateWhat: (oldest: string, days: number) =>
      `Há registros encerrados desde ${oldest} que já deviam ter sido removidos (guardados por ${days === 1 ? "1 dia" : `${days} dias`}). Veja no log do servidor por que a limpeza não anda.`,
    toSettings: "Abrir Ajustes",
  },

  losses: {
    title: "Perdas e retornos",
    none: (days: number) => `Nenhuma perda nos últimos ${days} dias.`,
    sum: (days: number, [lost, lostShown]: [number, string], returned: string) =>
      `${lostShown} ${lost === 1 ? "perda" : "perdas"} nos últimos ${days} dias; em ${returned} o navegador já voltou.`,
    what: "Inclui perdas que só o navegador notou. Quem saiu ou foi removido volta como registro novo.",
    byCause: "Ver por causa",
    cause: "Causa",
    lost: "Perdas",
    returned: "Voltaram",
    causes: {
      left: "O próprio navegador saiu",
      removed: "Alguém da equipe removeu o registro",
      gone: "O serviço de push encerrou a inscrição",
      "subscription-gone": "O serviço de push encerrou a inscrição, e o navegador ficou com ela",
      "subscription-missing": "O navegador descartou a inscrição",
      "subscription-changed": "O navegador passou a ter outra inscrição",
      "key-changed": "A chave do site mudou",
      "worker-missing": "O service worker foi removido ou mudou de endereço",
      "worker-replaced": "Outro script tomou o lugar do service worker",
      "registration-unknown": "O servidor já não conhecia o registro",
      "registration-outdated": "O servidor conhecia uma inscrição antiga",
    },
  },

  exports: {
    all: "Todos os inscritos",
    filtered: "Só o que os filtros mostram",
    plain: "Sem tokens",
    plainWhat: "Site, usuário do site, navegador, tópicos e datas",
    withTokens: "Com tokens",
    withTokensWhat: "O token identifica cada navegador na API",
  },

  list: {
    registrations: "Registros",
    filters: "Filtros",
    all: "Todos",
    state: "Situação",
    browser: "Navegador",
    system: "Sistema",
    language: "Idioma",
    pushService: "Serviço de push",
    topic: "Tópico",
    user: "Usuário do site",
    token: "Token do registro",
    openToken: "Abrir",
    searching: "Procurando…",
    found: (count: number, shown: string) =>
      count === 1 ? "1 encontrado até aqui" : `${shown} encontrados até aqui`,
    foundAll: (count: number, shown: string) =>
      count === 1 ? "1 encontrado" : `${shown} encontrados`,
    none: "Nenhum registro encontrado",
    nobody: "Ninguém se registrou ainda.",
    registeredAt: "Registrado",
    confirmedAt: "Confirmado",
    table: "Registros, do mais novo ao mais antigo",
  },

  registration: {
    title: (token: string) => `Registro ${token}`,
    back: "Todos os registros",
    why: {
      live: (confirmed: string) => `Está alcançável. O navegador se confirmou ${confirmed}.`,
      liveFailing: (title: string, when: string) =>
        `Está alcançável, mas o aviso “${title}” não foi aceito ${when}.`,
      refused: (when: string) =>
        `Está registrado, mas o serviço de push recusa o que é enviado a ele desde ${when}, embora aceite outros: em geral a inscrição foi feita com outra chave. Quando a pessoa voltar ao site, o navegador se registra de novo.`,
      left: (when: string) =>
        `Parou ${when} porque o próprio navegador saiu: a pessoa desligou os avisos ou a página do site fez isso por ela.`,
      gone: (when: string) =>
        `Parou ${when} porque o serviço de push disse que esta inscrição não existe mais: em geral a pessoa retirou a permissão, limpou os dados do site ou desinstalou o navegador. Se ela voltar ao site com permissão, este registro volta sozinho.`,
      removed: (when: string) =>
        `Parou ${when} porque alguém da equipe o removeu. Na próxima visita o navegador se registra de novo, com outro token, enquanto a permissão existir.`,
    },
    unknownReason: (code: string) => `Por um motivo que este painel não conhece (${code})`,
    timeline: "O que aconteceu",
    timelineWhat: "Avisos aceitos são contados, mas não ficam guardados por navegador.",
    more: "Há acontecimentos mais antigos que não aparecem aqui.",
    events: {
      registered: "Registrou-se",
      confirmed: "Confirmou-se pela última vez",
      renewed: (times: number) =>
        times === 1
          ? "Trocou de inscrição"
          : `Trocou de inscrição pela última vez (${times} vezes ao todo)`,
      returned: (times: number) =>
        times === 1
          ? "Voltou depois de uma perda"
          : `Voltou pela última vez depois de uma perda (${times} vezes ao todo)`,
      goneAt: (when: string) => `O servidor soube disso ${when}.`,
      joined: (topic: string) => `Entrou no tópico ${topic}`,
      displayed: "Exibiu o aviso",
      clicked: "Clicou no aviso",
      closed: "Fechou o aviso",
      action: (id: string) => `(botão ${id})`,
      message: {
        accepted: "O aviso foi aceito depois de uma mudança de endereço",
        gone: "O aviso encontrou a inscrição encerrada",
        retry: "O aviso espera uma nova tentativa",
        rejected: "O aviso foi recusado pelo serviço de push",
        failed: "O aviso não foi entregue",
      },
      attempts: (count: number) => (count === 1 ? "1 tentativa" : `${count} tentativas`),
      refused: "O serviço de push passou a recusar o que é enviado a ele",
      left: "O navegador saiu",
      gone: "O serviço de push encerrou a inscrição",
      removed: "Alguém da equipe removeu o registro",
    },
    details: "Detalhes",
    detailsWhat:
      "O endereço e as chaves do navegador nunca são mostrados. Navegador e sistema são o que ele diz de si.",
    token: "Token",
    state: "Situação",
    origin: "Site",
    timeZone: "Fuso horário",
    user: "Usuário do site",
    topics: "Tópicos",
    noTopics: "Nenhum",
    forgotten: "Esquecido",
    remove: "Remover registro",
    removeTitle: "Remover este registro?",
    removeWhat:
      "Nada mais é enviado a este navegador, e isto não pode ser desfeito: a inscrição é apagada na hora, com tópicos e usuário. Mas não é um bloqueio: enquanto a permissão existir, o navegador se registra de novo na próxima visita, com outro token. Para não receber mais nada, a pessoa retira a permissão no navegador.",
  },

  topics: {
    what: "Um tópico reúne navegadores que querem os mesmos avisos. Aberto: qualquer visitante entra. Fechado: só o seu sistema, ou a sua equipe, põe alguém nele. Sair, todos podem.",
    policies: { open: "Aberto", kept: "Fechado" },
    add: "Criar tópico",
    name: "Nome",
    nameWhat: "Como a sua equipe o chama",
    nameMissing: "Escreva um nome.",
    technicalName: "Nome técnico",
    technicalNameWhat: "Usado no código do site; não muda depois",
    technicalNameWrong:
      "Sem espaços nem acentos: de 1 a 64 letras, números, _ . ~ ou -; por exemplo promocoes-do-dia",
    rename: "Renomear",
    renameOf: (name: string) => `Renomear ${name}`,
    renameTitle: "Renomear tópico",
    renameWhat: (name: string) =>
      `O nome técnico continua ${name}: o código do site não muda. Sem nome, vale o técnico.`,
    renameSave: "Salvar",
    policy: "Quem pode entrar",
    policyOf: (name: string) => `Quem pode entrar em ${name}`,
    members: (count: number, shown: string) =>
      count === 1 ? "1 alcançável" : `${shown} alcançáveis`,
    see: "Ver registros",
    seeOf: (name: string) => `Ver registros de ${name}`,
    remove: "Remover",
    removeOf: (name: string) => `Remover ${name}`,
    removeTitle: (name: string) => `Remover o tópico ${name}?`,
    removeWhat: (count: number, shown: string) =>
      `${count === 1 ? "1 navegador perde este tópico e teria" : `${shown} navegadores perdem este tópico e teriam`} de entrar nele de novo. Não pode ser desfeito.`,
    none: "Ainda não há tópicos.",
    listTitle: "Tópicos do projeto",
  },
};
