import type { FindingCode, FindingReason } from "@sineta/protocol";

type FindingTexts = {
  name: string;
  /** What to do where it is not as it has to be. */
  todo: string;
  /** Where a reason means something of its own here. */
  reasons: Partial<Record<FindingReason, string>>;
};

/** How the bell gets onto a site. */
export const install = {
  origins: "Origens permitidas",
  originsWhat: "Só páginas destas origens podem registrar navegadores neste projeto.",
  originsFromEnvironment:
    "A lista vem de SINETA_ORIGINS. Para mudar, altere a variável no servidor e inicie-o de novo.",
  originsFromSettings: "A lista se muda em Ajustes, Projeto.",
  addressNotSet:
    "SINETA_PUBLIC_URL não está definida, então a Sineta responde nos endereços deste computador. Para um site de verdade, defina a variável com o endereço https da Sineta e inicie o servidor de novo.",
  twoNames: ({ plain, www }: { plain: string; www: string }) =>
    `Quem ativou o sino em ${plain} e em ${www} tem dois registros e recebe cada aviso duas vezes. Redirecione um endereço para o outro no servidor do site. Depois remova da lista o endereço redirecionado.`,
  bell: "Aparência do sino",
  bellWhat: "O sino de verdade, desligado e ligado. As cores escolhidas vão para o código abaixo.",
  pages: { light: "Página clara", dark: "Página escura" },
  colors: { off: "Desligado", on: "Ligado", focus: "Foco do teclado" },
  ownColors: "Voltar às cores do sino",
  pale: (state: string, page: string) =>
    `${state}: pouco contraste em ${page.toLowerCase()}. Escolha uma cor que se veja nas duas.`,
  snippet: "Código para copiar",
  plainHtml: "HTML simples",
  kinds: {
    react: "Para um site em React, com qualquer empacotador (Vite, por exemplo).",
    html: "Para uma página sem framework: o botão é seu, o resto vem do pacote. O sino pronto, com as cores escolhidas, existe só para React.",
  },
  notOnRegistry:
    "Os pacotes ainda não estão em um registro público: gere-os com npm run packages no código da Sineta, que aqui está ao lado da pasta do site, e instale os arquivos de dist/.",
  where: {
    terminal: "1. No terminal, na pasta do site",
    code: "2. No código da página",
    styles: "3. No CSS do site",
  },
  workerWhat: (worker: string) =>
    `O arquivo ${worker} precisa estar na mesma origem da página, servido como JavaScript e sem redirecionamento.`,
  check: "Conferir o site",
  checkWhat:
    "O servidor abre a página como um visitante e diz o que falta. Ele lê a página, os scripts dela e o que estes importam, não o que scripts montam depois.",
  page: "Endereço da página",
  look: "Conferir",
  nothingMissing: "Nada impede o sino de funcionar.",
  somethingMissing: (count: number) =>
    count === 1
      ? "1 coisa impede o sino de funcionar."
      : `${count} coisas impedem o sino de funcionar.`,
  pageUnknown: "Não pude conferir daqui.",
  restUnknown: "Nada do que foi conferido impede o sino de funcionar.",
  states: { ok: "OK", warning: "Atenção", missing: "Erro", unknown: "Não conferido" },
  seen: "Visto:",
  reasons: {
    found: "Está como precisa estar.",
    loopback: "É http neste computador, o que vale só para desenvolvimento.",
    insecure: "Não é https.",
    "certificate-invalid": "O certificado não é válido para este endereço.",
    "not-found": "Não foi encontrado.",
    none: "Nada a dizer.",
    status: "O servidor do site respondeu com outro status que 200.",
    redirected: "O endereço redireciona para outro.",
    "redirected-elsewhere": "O endereço leva a outra origem.",
    "too-many-redirects": "São redirecionamentos demais.",
    "timed-out": "O site demorou demais para responder.",
    "too-large": "É grande demais: só o começo foi lido.",
    encoded: "Veio comprimido sem que isso fosse pedido, e não foi lido.",
    "address-not-allowed":
      "O endereço não é público. O servidor só abre páginas públicas. Abra a página em um navegador da sua rede e toque no sino.",
    "name-not-resolved": "O nome não existe no DNS.",
    "connection-failed": "Não foi possível conectar.",
    "content-type-wrong": "O tipo de conteúdo não é o esperado.",
    "not-looked-at": "Está em outra origem, e não foi olhado.",
    "other-key": "É a chave de outro projeto ou servidor.",
    "not-sineta": "O arquivo existe, mas não é o da Sineta.",
    "blocks-script":
      "A política da página proíbe o script do sino: permita o script na diretiva vista. Se ela tem 'strict-dynamic', dê um nonce ao script.",
    "blocks-worker": "A política da página proíbe o service worker: permita 'self' em worker-src.",
    "blocks-connection":
      "A política da página proíbe falar com o servidor da Sineta: permita a origem dele em connect-src.",
    "blocks-trusted-types":
      "A página exige Trusted Types e não permite a política sineta: acrescente sineta a trusted-types.",
    "sandboxes-page":
      "A diretiva sandbox isola a página: acrescente a ela allow-scripts e allow-same-origin.",
    "blocks-worker-connection":
      "A política do arquivo do service worker proíbe falar com o servidor da Sineta. Por isso nenhum aviso conta como exibido: permita a origem do servidor em connect-src.",
    "blocks-worker-images":
      "A política do arquivo do service worker proíbe as imagens dos avisos: permita a origem do site e a do servidor da Sineta em img-src.",
    "sandboxes-worker":
      "A diretiva sandbox isola o service worker. Por isso nenhum aviso conta como exibido: envie o arquivo com uma política sem sandbox.",
    malformed: "Não dá para ler.",
  } satisfies Record<FindingReason, string>,
  findings: {
    https: {
      name: "https",
      todo: "Sirva o site por https, com um certificado válido: navegadores só oferecem avisos assim.",
      reasons: { found: "A página é servida por https." },
    },
    "page-reachable": {
      name: "A página abre",
      todo: "Confira o endereço, e se ele abre em uma janela anônima fora da sua rede.",
      reasons: { found: "A página respondeu." },
    },
    "bell-found": {
      name: "O sino está na página",
      todo: "Ponha o código acima na página e publique o site.",
      reasons: {
        found: "O código da Sineta está na página.",
        "not-found": "Nenhum script da página tem o código da Sineta.",
        "not-looked-at":
          "Nos scripts desta origem o código da Sineta não está; há scripts que não foram olhados.",
      },
    },
    "vapid-key": {
      name: "A chave VAPID é deste projeto",
      todo: "Use no código a chave pública mostrada nesta página.",
      reasons: {
        found: "A chave da página é deste projeto.",
        "not-found": "A chave não foi vista no código: talvez ela seja lida de outro lugar.",
      },
    },
    "worker-reachable": {
      name: "O service worker",
      todo: "Copie sw.js do pacote @sineta/client para a raiz do site como sineta-sw.js, servido como text/javascript.",
      reasons: {
        found: "O arquivo está no lugar, como JavaScript.",
        redirected: "O endereço redireciona, e navegadores não seguem isso para um service worker.",
        "redirected-elsewhere": "O service worker precisa estar na mesma origem da página.",
        "content-type-wrong": "O arquivo não é servido como JavaScript.",
      },
    },
    "content-security-policy": {
      name: "Política de segurança (CSP)",
      todo: "Mude o cabeçalho Content-Security-Policy que o site envia, ou o elemento meta da página. Uma diretiva nova vale no lugar de default-src: repita nela as fontes de default-src.",
      reasons: {
        found: "A política permite o que o sino precisa.",
        none: "Não há política, então nenhuma impede o sino.",
      },
    },
    "mixed-content": {
      name: "Partes sem https",
      todo: "Troque http:// por https:// nos endereços que a página carrega.",
      reasons: {
        none: "Tudo o que a página carrega vem por https.",
        insecure: "A página carrega algo sem https.",
      },
    },
    manifest: {
      name: "Manifesto do site",
      todo: "O sino funciona sem ele; com um manifesto o site pode ser instalado e tem nome e ícone próprios.",
      reasons: { "not-found": "A página não aponta para um manifesto." },
    },
    icons: {
      name: "Ícones",
      todo: "Ponha no manifesto ícones de 192×192 e 512×512 que possam ser abertos.",
      reasons: {
        found: "Os ícones existem nos tamanhos certos.",
        "not-found": "Faltam ícones no manifesto.",
      },
    },
  } satisfies Record<FindingCode, FindingTexts>,
};
