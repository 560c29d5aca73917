/** The first-run walk: from the first owner to a notice that arrives. */
export const firstRun = {
  title: "Primeiros passos",
  what: "Em poucos minutos, o primeiro aviso chega a este navegador. Você pode sair e voltar quando quiser: o que já foi feito continua feito.",
  done: "Feito",
  account: "Crie a sua conta",
  accountDone: (name: string) => `Você entrou como ${name}.`,
  name: "Dê um nome ao projeto",
  nameWhat: "O nome do site ou da loja, como as pessoas o conhecem.",
  bell: "Veja o sino e ative os avisos aqui",
  bellWhat:
    "É assim que quem visita o site vê o sino. Ative os avisos neste navegador e responda que sim quando ele perguntar se o site pode notificar.",
  bellOn: "Este navegador está registrado e pode receber avisos.",
  enable: "Ativar avisos aqui",
  obstacles: {
    insecure:
      "Esta página foi aberta sem https, e navegadores só oferecem avisos em páginas https. Ponha um proxy com https na frente do servidor, defina SINETA_PUBLIC_URL com o endereço https e abra o painel por ele.",
    loopback:
      "Esta página foi aberta por http neste computador, e o servidor foi iniciado com um endereço público. Abra o painel pelo endereço https definido em SINETA_PUBLIC_URL.",
    apple:
      "O sino não aparece em iPhone, iPad ou iPod. Abra o painel em um computador ou em um celular Android.",
    unsupported:
      "Este navegador não oferece avisos por push aqui. Use uma versão atual do Chrome, Edge, Firefox ou Safari, fora de uma janela anônima.",
    denied:
      "Os avisos deste site estão bloqueados neste navegador. Clique no ícone ao lado do endereço da página, permita notificações e volte a esta página.",
  },
  errors: {
    "worker-failed":
      "O navegador não conseguiu instalar o service worker. Recarregue a página; se continuar, veja se um proxy à frente do servidor muda o arquivo /sineta-sw.js.",
    "subscribe-failed":
      "O serviço de push do navegador recusou a inscrição. Confira a conexão deste computador com a internet e tente de novo.",
    "token-timeout":
      "A inscrição demorou demais. Confira a conexão e tente de novo; se ela vier depois, o sino se ativa sozinho.",
    "server-unreachable": "O servidor não respondeu. Confira a conexão e tente de novo.",
    "server-refused":
      "O servidor recusou o registro. Confira se o painel foi aberto no endereço definido em SINETA_PUBLIC_URL.",
    "storage-failed":
      "O navegador não deixa esta página guardar dados. Saia da janela anônima ou permita os dados deste site.",
  },
  unknownError: (code: string) => `Não foi possível ativar os avisos (${code}). Tente de novo.`,
  send: "Envie o primeiro aviso a este navegador",
  bellFirst: "Ative os avisos primeiro.",
  titleOfNotice: "Título",
  bodyOfNotice: "Texto",
  firstTitle: "Olá!",
  firstBody: "Este é o primeiro aviso do seu site.",
  sendNow: "Enviar para este navegador",
  sendAgain: "Enviar de novo",
  arrive: "Veja o aviso chegar",
  arriveWhat: "Depois de enviar, o aviso aparece no canto da tela, e aqui se vê o caminho dele.",
  underWay: "O aviso está a caminho do serviço de push do navegador…",
  accepted: "O serviço de push aceitou o aviso. Falta o navegador exibi-lo…",
  arrived: "O aviso chegou e foi exibido neste navegador.",
  failed: (reason: string) =>
    `O serviço de push ainda não aceitou o aviso (${reason}). O servidor continua tentando por 5 minutos; confira a conexão do servidor com a internet.`,
  gone: "O serviço de push diz que esta inscrição acabou. Recarregue a página, ative os avisos de novo e envie outra vez.",
  late: "O aviso foi aceito, mas o navegador ainda não disse que o exibiu. Veja se o sistema está em “não perturbe”, se os avisos deste navegador estão permitidos nos ajustes do sistema e se o navegador está aberto.",
  over: "Tudo pronto: avisos saem daqui e chegam. Agora ponha o sino no seu site.",
  leave: "Ir para o painel",
  toInstall: "Pôr o sino no site",
  toCompose: "Escrever um aviso",
};
