const nothing = "Não é preciso fazer nada.";
const again = "É tentado de novo enquanto o aviso valer.";
const reach =
  "Confira se esta máquina alcança o serviço de push: a rede e o firewall (a Sineta não usa proxy), e SINETA_PUSH_ROUTES, se estiver definida.";
const vendor = "Procure na documentação do serviço o que ele disse.";
const between = `${vendor} Algo entre o servidor e ele pode estar respondendo no lugar dele.`;
const shorter =
  "Envie um aviso mais curto: título, texto, dados, botões e endereços contam juntos.";

/** Why a push was not accepted, or a push service is held back, by the server's codes (docs/operating.md, "Reasons"). */
export const reasons: Readonly<Record<string, { title: string; meaning: string; remedy: string }>> =
  {
    gone: {
      title: "O navegador não recebe mais",
      meaning:
        "A pessoa tirou a permissão, limpou o navegador ou deixou de usá-lo: o serviço de push encerrou o registro.",
      remedy: `${nothing} Se a pessoa voltar ao site com permissão, o registro volta sozinho. Um navegador que foi limpo volta como registro novo.`,
    },
    throttled: {
      title: "O serviço pediu para ir mais devagar",
      meaning: "O serviço de push pede menos envios (429; no Windows também 406).",
      remedy: "Continua depois da pausa; não é preciso fazer nada.",
    },
    "service-unavailable": {
      title: "O serviço teve um erro",
      meaning: "O serviço de push respondeu com um erro dele mesmo (5xx).",
      remedy: `${again} Se durar, veja a página de situação do serviço.`,
    },
    "service-timed-out": {
      title: "O pedido demorou a chegar ao serviço",
      meaning: "O serviço de push não recebeu o pedido inteiro a tempo (408).",
      remedy: again,
    },
    "answer-timed-out": {
      title: "O serviço não respondeu a tempo",
      meaning: "Nenhuma resposta veio dentro do prazo. O envio pode ter sido aceito.",
      remedy: `${again} Se durar, confira se a rede desta máquina não está sobrecarregada, e a página de situação do serviço.`,
    },
    "stream-broken": {
      title: "A conexão caiu no meio",
      meaning: "A conexão se rompeu no caminho. O envio pode ter sido aceito.",
      remedy: again,
    },
    "stream-refused": {
      title: "O serviço não olhou o pedido",
      meaning:
        "O serviço de push deixou de olhar este pedido duas vezes (REFUSED_STREAM ou GOAWAY).",
      remedy: again,
    },
    "name-not-resolved": {
      title: "O nome do serviço não foi encontrado",
      meaning: "O DNS não respondeu pelo endereço do serviço de push.",
      remedy:
        "Confira o DNS desta máquina: o nome no detalhe precisa ser encontrado aqui. Em uma rede sem DNS, defina SINETA_PUSH_ROUTES.",
    },
    "connect-failed": {
      title: "Não houve conexão",
      meaning:
        "Não foi possível conectar ao serviço de push, ou a conexão terminou antes de qualquer pedido.",
      remedy: reach,
    },
    "connect-timed-out": {
      title: "A conexão demorou demais",
      meaning: "Nenhuma conexão utilizável com o serviço de push ficou pronta no prazo.",
      remedy: `${reach} Um firewall que descarta pacotes causa isto.`,
    },
    "tls-failed": {
      title: "A conexão segura falhou",
      meaning:
        "A negociação de TLS falhou; muitas vezes é um certificado em que esta máquina não confia.",
      remedy:
        "Confira o relógio desta máquina. Se algo entre ela e o serviço de push tem um certificado próprio (um proxy, um teste), confie na autoridade dele com NODE_EXTRA_CA_CERTS e inicie o servidor de novo.",
    },
    "queue-timed-out": {
      title: "A vez não chegou a tempo",
      meaning:
        "O prazo passou antes que o serviço de push permitisse mais um pedido. Não foi enviado.",
      remedy: again,
    },
    "queue-full": {
      title: "Há pedidos demais na fila",
      meaning: "Já há pedidos demais esperando por este serviço de push. Não foi enviado.",
      remedy: again,
    },
    withdrawn: {
      title: "Retirado antes do envio",
      meaning:
        "Foi retirado antes de começar: o aviso foi cancelado ou o navegador saiu. Não foi enviado.",
      remedy: nothing,
    },
    "sender-closed": {
      title: "O servidor foi parado",
      meaning: "O servidor parou antes de a resposta chegar.",
      remedy: "É enviado quando o servidor voltar a funcionar.",
    },
    "sender-failed": {
      title: "Um erro do servidor",
      meaning:
        "O que envia neste servidor terminou por um erro próprio antes de a resposta chegar. O envio pode ter sido aceito.",
      remedy: "Veja o log do servidor e relate o que está nele.",
    },
    "vapid-refused": {
      title: "A chave do projeto foi recusada",
      meaning:
        "O serviço recusou a chave ou o token VAPID (401, 403, ou 400 que fala disso). O erro é do servidor, nunca do navegador.",
      remedy:
        "Confira o relógio desta máquina e SINETA_VAPID_SUBJECT, depois inicie o servidor de novo. Ninguém é removido enquanto isso.",
    },
    "too-large": {
      title: "O aviso é grande demais",
      meaning: "O conteúdo é maior do que o serviço de push aceita (413).",
      remedy: shorter,
    },
    redirect: {
      title: "O serviço mandou para outro endereço",
      meaning: "O serviço de push respondeu com um redirecionamento, que nunca é seguido (3xx).",
      remedy: between,
    },
    "request-refused": {
      title: "O serviço recusou o pedido",
      meaning: "O serviço de push recusou o pedido de outra maneira (4xx).",
      remedy: vendor,
    },
    "unexpected-status": {
      title: "Resposta desconhecida",
      meaning: "A resposta tem um código que o padrão (RFC 8030) não conhece.",
      remedy: between,
    },
    "endpoint-not-allowed": {
      title: "O endereço não é permitido",
      meaning: "A Sineta não pode enviar para este endereço; o detalhe diz por quê.",
      remedy: "Se é um serviço de push seu, permita o nome dele com SINETA_PUSH_HOSTS.",
    },
    "address-not-allowed": {
      title: "O endereço não é público",
      meaning:
        "O nome do serviço leva a um endereço que não é público, e nenhuma rota leva até lá.",
      remedy:
        "Confira o DNS desta máquina. Se o serviço de push está na sua própria rede, indique-o em SINETA_PUSH_ROUTES.",
    },
    "keys-unusable": {
      title: "As chaves do navegador não servem",
      meaning: "Uma das chaves do registro (p256dh ou auth) não pode ser usada.",
      remedy: "Nada pode ser enviado a este navegador até que ele se registre de novo.",
    },
    "plaintext-too-large": {
      title: "O aviso é grande demais",
      meaning: "O conteúdo passa de 3.993 bytes.",
      remedy: shorter,
    },
    "options-invalid": {
      title: "Validade ou urgência fora do padrão",
      meaning: "A validade, a urgência ou a chave não é uma das que o padrão (RFC 8030) permite.",
      remedy: "Conte ao suporte, com o detalhe: um aviso assim deveria ter sido recusado.",
    },
    unexpected: {
      title: "Um erro inesperado",
      meaning: "Aconteceu no servidor algo que não deveria acontecer; o detalhe tem o erro.",
      remedy: "Olhe o registro (log) do servidor, e conte ao suporte, com o detalhe.",
    },
    unavailable: {
      title: "O serviço não responde",
      meaning: "O serviço de push não responde, ou só com erros dele mesmo (5xx).",
      remedy: `${reach} Se alcança, espere: é tentado de novo sozinho.`,
    },
    "refuses-all": {
      title: "O serviço recusa tudo",
      meaning: "O serviço de push recusa todos os envios, e não por causa da chave VAPID.",
      remedy: `${vendor} Corrija, depois inicie o servidor de novo.`,
    },
    "vapid-key-unknown": {
      title: "A chave do registro não existe mais",
      meaning: "O registro foi feito com uma chave VAPID que o projeto não tem.",
      remedy:
        "Devolva a pasta de dados que tem a chave; quem carregar o site se inscreve com a atual.",
    },
    expired: {
      title: "O prazo acabou",
      meaning: "A validade do aviso terminou antes que o serviço de push o aceitasse.",
      remedy: "Dê mais validade ao próximo aviso, ou veja no Início o que o segurou.",
    },
    cancelled: {
      title: "Cancelado antes de sair",
      meaning: "O aviso foi cancelado antes que o serviço de push o aceitasse.",
      remedy: nothing,
    },
    "not-in-audience": {
      title: "Saiu do público",
      meaning:
        "O navegador saiu, ou já não está entre aqueles para quem o aviso é, antes de uma nova tentativa.",
      remedy: nothing,
    },
    "never-accepted": {
      title: "O servidor nunca aceitou nada",
      meaning:
        "O servidor de push nunca aceitou um envio, enquanto outros aceitaram: provavelmente é inventado. O registro permanece.",
      remedy: "O próximo aviso tenta uma vez, e continua se ele aceitar.",
    },
    moved: {
      title: "Mudou de inscrição",
      meaning: "O navegador tem agora outra inscrição, e recebe por ela. Ainda não foi enviado.",
      remedy: nothing,
    },
    renewed: {
      title: "Voltou com outra inscrição",
      meaning:
        "A inscrição tinha terminado, e o navegador voltou nesse meio-tempo. É enviado para lá.",
      remedy: nothing,
    },
  };
