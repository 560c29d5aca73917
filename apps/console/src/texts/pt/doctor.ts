import type { DoctorCheck, DoctorCode } from "@sineta/protocol";

/** A sentence in which `{subject}` and `{seen}` stand for what was looked at and what was seen; commands stand in backquotes. */
type FindingTexts = { title: string; remedy: string };

/** What the server finds when it looks at itself: the catalogue of @sineta/protocol in other words. */
export const doctor = {
  card: "Exame do servidor",
  what: "O servidor olha os ajustes, o disco, o endereço público e o caminho até os serviços de push. Nenhum aviso é enviado. Na máquina do servidor, este comando olha também o banco de dados inteiro:",
  examining: "Examinando. Isto leva alguns segundos…",
  again: "Examinar de novo",
  allWell: "Tudo bem.",
  toDo: (count: number) => (count === 1 ? "1 coisa a fazer." : `${count} coisas a fazer.`),
  notSeen: (count: number) =>
    count === 1 ? "1 coisa não pôde ser vista." : `${count} coisas não puderam ser vistas.`,
  groups: { "to-do": "O que fazer", unknown: "Não verificado", ok: "Em ordem" },
  checks: {
    settings: "Configuração",
    server: "Servidor",
    database: "Banco de dados",
    secret: "Segredo",
    files: "Arquivos",
    disk: "Disco",
    clock: "Relógio",
    "public-url": "Endereço público",
    dns: "Nome no DNS",
    certificate: "Certificado",
    proxy: "Proxy",
    origin: "Origem das páginas",
    "push-service": "Serviço de push",
  } satisfies Record<DoctorCheck, string>,
  findings: {
    "settings-good": { title: "Nenhuma variável deixa dúvida.", remedy: "" },
    "setting-doubtful": { title: "Uma variável deixa dúvida. O servidor diz: {seen}", remedy: "" },

    "server-runs": {
      title: "O servidor em {subject} está pronto. A versão é {seen}.",
      remedy: "",
    },
    "server-answers": { title: "Um servidor em {subject} está pronto.", remedy: "" },
    "server-stopped": {
      title: "Nenhum servidor usa a pasta de dados {subject}.",
      remedy:
        "Inicie o servidor: `systemctl start sineta`, `podman start sineta` ou `sineta serve`.",
    },
    "server-silent": {
      title: "Um servidor usa a pasta de dados, mas nada responde em {subject} ({seen}).",
      remedy: "Dê ao comando os mesmos SINETA_HOST e SINETA_PORT do servidor.",
    },
    "server-foreign": {
      title: "O que responde em {subject} não é o servidor desta pasta de dados ({seen}).",
      remedy:
        "Dê ao comando as mesmas variáveis do servidor, e reinicie o servidor se ele for mais antigo que o comando.",
    },
    "server-not-ready": {
      title: "O servidor em {subject} não está pronto (status {seen}).",
      remedy: "Leia o log do servidor: ele diz por quê.",
    },
    "server-outdated": {
      title: "O servidor ativo é da versão {seen}, e a versão {subject} está instalada.",
      remedy: "Reinicie o servidor.",
    },
    "server-older": {
      title: "Um servidor de uma versão anterior usa a pasta de dados {subject}.",
      remedy: "Reinicie o servidor. Ele traz então o banco de dados para esta versão.",
    },
    "server-port-unknown": {
      title:
        "Um servidor usa a pasta de dados, mas SINETA_PORT é 0, então o diagnóstico não sabe a porta dele.",
      remedy: "Defina SINETA_PORT.",
    },
    "delivery-held": {
      title: "O envio está parado desde {seen}.",
      remedy: "`sineta resume` lista o que espera, pergunta e retoma.",
    },

    "database-sound": { title: "O banco de dados está inteiro, com {seen}.", remedy: "" },
    "database-opens": {
      title:
        "O servidor lê e grava o banco de dados. Na máquina, `sineta doctor` olha também cada página dele.",
      remedy: "",
    },
    "database-old": {
      title: "O próximo início do servidor traz o banco de dados para esta versão.",
      remedy: "",
    },
    "database-damaged": {
      title: "O banco de dados {subject} está danificado: {seen}",
      remedy:
        "Pare o servidor, mova dali {subject}, {subject}-wal e {subject}-shm, e ponha lá uma cópia de segurança com `sineta restore FILE`.",
    },
    "database-unusable": {
      title: "O banco de dados não pode ser usado. O servidor diz: {seen}",
      remedy: "",
    },
    "database-out-of-reach": {
      title: "O diagnóstico não alcança o banco de dados. O comando diz: {seen}",
      remedy: "Chame o diagnóstico como root ou como o usuário do servidor.",
    },

    "secret-fits": { title: "O segredo {seen} abre as chaves do banco de dados.", remedy: "" },
    "secret-unusable": {
      title: "O segredo não pode ser usado. O servidor diz: {seen}",
      remedy: "",
    },

    "files-private": { title: "Só o dono pode ler os arquivos da pasta de dados.", remedy: "" },
    "file-open": {
      title: "Outros usuários da máquina podem ler {subject} (modo {seen}).",
      remedy: "Remova essa permissão deles: `chmod go= {subject}`.",
    },
    "file-of-another": {
      title: "{subject} é do usuário {seen}, e o banco de dados é de outro.",
      remedy: "Dê o arquivo ao dono do banco de dados com `chown`.",
    },

    "disk-free": { title: "Restam {seen} no disco da pasta de dados.", remedy: "" },
    "disk-low": {
      title: "Restam {seen} no disco da pasta de dados, menos que SINETA_DISK_LOW_MIB ({subject}).",
      remedy:
        "Libere espaço, ou guarde menos: veja “Keeping only what is needed” em docs/operating.md.",
    },
    "disk-remote": {
      title:
        "A pasta de dados está em um sistema de arquivos de rede ({seen}), onde as travas do SQLite não valem.",
      remedy: "Mude a pasta de dados para um disco local.",
    },

    "clock-right": { title: "A diferença para o relógio de {subject} é de {seen}.", remedy: "" },
    "clock-fast": {
      title: "O relógio está {seen} adiantado em relação ao de {subject}.",
      remedy: "Deixe a máquina acertar o relógio pela rede: `timedatectl set-ntp true`.",
    },
    "clock-slow": {
      title: "O relógio está {seen} atrasado em relação ao de {subject}.",
      remedy: "Deixe a máquina acertar o relógio pela rede: `timedatectl set-ntp true`.",
    },
    "clock-unknown": {
      title: "Nenhum serviço de push respondeu, então não há com que comparar o relógio.",
      remedy: "",
    },

    "public-url-reached": { title: "O servidor responde em {subject}.", remedy: "" },
    "public-url-local": {
      title:
        "SINETA_PUBLIC_URL não está definida, então o servidor serve para desenvolvimento, só nesta máquina.",
      remedy: "",
    },
    "public-url-missing": {
      title: "SINETA_PUBLIC_URL não está definida, então convites e imagens levam a {subject}.",
      remedy: "Defina SINETA_PUBLIC_URL com o endereço em que as pessoas chegam à Sineta.",
    },
    "public-url-insecure": {
      title: "{subject} não é https, então navegadores não mostram o sino ali.",
      remedy: "Ponha na frente um proxy com https, e em SINETA_PUBLIC_URL o endereço https dele.",
    },
    "public-url-silent": {
      title: "Nada responde em {subject} ({seen}).",
      remedy: "Confira se o proxy está ativo, e em que endereços e portas ele escuta.",
    },
    "public-url-unreachable": {
      title: "Esta máquina não recebe resposta de {subject} ({seen}).",
      remedy:
        "Abra o endereço a partir de outra rede. Se os visitantes também não recebem resposta, confira se o proxy está ativo e se o firewall os deixa passar.",
    },
    "public-url-partly": {
      title: "Em {subject}, o proxy não passa {seen} ao servidor.",
      remedy:
        "Faça o proxy passar todos os caminhos da Sineta: veja “Behind a reverse proxy” em docs/operating.md.",
    },
    "public-url-redirects": {
      title: "{subject} redireciona para {seen}.",
      remedy: "Ponha em SINETA_PUBLIC_URL o endereço final, ou remova o redirecionamento.",
    },
    "public-url-foreign": {
      title: "O que responde em {subject} não é este servidor ({seen}).",
      remedy:
        "Faça o proxy passar os caminhos da Sineta para SINETA_HOST e SINETA_PORT: veja “Behind a reverse proxy” em docs/operating.md.",
    },
    "public-url-not-asked": {
      title: "O diagnóstico não sabe se este servidor responde em {subject}.",
      remedy: "Faça o que dizem os outros resultados, e chame o diagnóstico de novo.",
    },

    "name-resolves": { title: "{subject} leva a {seen}.", remedy: "" },
    "name-unknown": {
      title: "Nenhum servidor de nomes conhece {subject} ({seen}).",
      remedy: "Faça o nome levar ao endereço público da máquina, com um registro A ou AAAA.",
    },
    "name-private": {
      title: "{subject} leva a {seen}. Só visitantes da mesma rede privada chegam lá.",
      remedy: "",
    },
    "name-local": {
      title:
        "Nesta máquina {subject} leva a {seen}, então o diagnóstico não vê aonde o nome leva os visitantes.",
      remedy: "Pergunte pelo nome em outra máquina: `getent ahosts {subject}`.",
    },
    "address-dead": {
      title: "{subject} leva também a {seen}, onde nada responde.",
      remedy: "Remova o registro do DNS, ou faça o proxy escutar ali.",
    },

    "certificate-valid": { title: "O certificado de {subject} vale até {seen}.", remedy: "" },
    "certificate-ends-soon": {
      title: "O certificado de {subject} acaba em breve: {seen}.",
      remedy: "Renove o certificado, e veja por que ele não se renovou sozinho.",
    },
    "certificate-ended": {
      title: "O certificado de {subject} acabou: {seen}.",
      remedy: "Renove o certificado. Se a própria Sineta serve https, reinicie o servidor.",
    },
    "certificate-elsewhere": {
      title: "O certificado que {subject} mostra é de {seen}.",
      remedy: "Obtenha um certificado para o nome que está em SINETA_PUBLIC_URL.",
    },
    "certificate-incomplete": {
      title: "{subject} mostra o certificado sem aquele que o assinou ({seen}).",
      remedy:
        "Indique o arquivo com a cadeia inteira, como `fullchain.pem`. Se a autoridade é sua, indique o certificado dela em NODE_EXTRA_CA_CERTS.",
    },
    "certificate-untrusted": {
      title: "Navegadores não confiam no certificado de {subject} ({seen}).",
      remedy:
        "Obtenha um de uma autoridade pública, como a Let's Encrypt. Se a autoridade é sua, indique o certificado dela em NODE_EXTRA_CA_CERTS.",
    },
    "certificate-not-loaded": {
      title: "O servidor ainda mostra outro certificado que o de SINETA_TLS_CERT.",
      remedy: "Reinicie o servidor.",
    },

    "proxy-right": {
      title: "Pedidos a {subject} chegam inteiros, e o servidor vê esta máquina como {seen}.",
      remedy: "",
    },
    "proxy-unnamed": {
      title:
        "Os pedidos passam por um proxy em {seen} que não está em SINETA_TRUSTED_PROXIES, então o servidor não distingue os visitantes.",
      remedy: "Acrescente {seen} a SINETA_TRUSTED_PROXIES e reinicie o servidor.",
    },
    "proxy-hides-visitors": {
      title:
        "O proxy em {seen} não envia X-Forwarded-For, então o servidor toma todos os visitantes por um só.",
      remedy:
        "Faça o proxy enviar o cabeçalho: no nginx, `proxy_set_header X-Forwarded-For $remote_addr;`.",
    },
    "proxy-believes-visitors": {
      title:
        "O proxy repassa o X-Forwarded-For que um visitante escreve, então um visitante pode se dar qualquer endereço.",
      remedy:
        "Faça o proxy trocar o cabeçalho: no nginx, `proxy_set_header X-Forwarded-For $remote_addr;`.",
    },
    "proxy-drops-headers": {
      title: "O proxy remove cabeçalhos dos pedidos: {seen}.",
      remedy: "Faça o proxy repassar todos os cabeçalhos.",
    },
    "proxy-changes-host": {
      title: "O proxy envia ao servidor o host {seen}, e o visitante pede {subject}.",
      remedy: "Faça o proxy passar o host: no nginx, `proxy_set_header Host $http_host;`.",
    },
    "proxy-refuses-bodies": {
      title: "O proxy recusa um corpo de 300 kB, que é o tamanho de uma imagem (status {seen}).",
      remedy: "Permita esse tamanho: no nginx, `client_max_body_size 1m;`.",
    },

    "origins-own": { title: "Só as páginas da própria Sineta podem registrar.", remedy: "" },
    "origin-good": { title: "{subject} tem tudo de que o sino precisa.", remedy: "" },
    "origin-lacks": {
      title: "Falta algo em {subject} para o sino funcionar: {seen}.",
      remedy: "Confira a página em “Instalar o sino”, onde está escrito o que fazer.",
    },
    "origins-more": {
      title: "O diagnóstico não olhou mais {seen} origens.",
      remedy: "Confira as páginas delas em “Instalar o sino”.",
    },
    "origin-local": {
      title:
        "Nesta máquina {subject} leva a um endereço que não é público, então o diagnóstico não olha a página.",
      remedy:
        "Abra a página em outra máquina. Se o nome está em `/etc/hosts` daqui, remova-o de lá e chame o diagnóstico de novo.",
    },
    "origin-silent": {
      title: "O diagnóstico não consegue ler a página {subject} ({seen}).",
      remedy:
        "Confira se ela existe. Se ela acabou de vez, remova a origem da lista com `sineta settings origins` ou em SINETA_ORIGINS.",
    },

    "push-service-reached": { title: "{subject} responde.", remedy: "" },
    "push-service-name-unknown": {
      title: "Nenhum servidor de nomes conhece {subject} ({seen}).",
      remedy: "Confira se os servidores de nomes da máquina respondem: `getent hosts {subject}`.",
    },
    "push-service-silent": {
      title: "Não foi possível chegar a {subject} ({seen}).",
      remedy:
        "Faça o firewall permitir conexões até lá pela porta 443, e confira se os servidores de nomes da máquina respondem.",
    },
    "push-service-untrusted": {
      title: "O certificado em {subject} não é o do serviço de push ({seen}).",
      remedy:
        "Algo no caminho abre as conexões: faça ali uma exceção para {subject}, ou indique a autoridade em NODE_EXTRA_CA_CERTS. Se o prazo do certificado acabou ou ainda não começou, acerte o relógio.",
    },
    "push-service-elsewhere": {
      title: "{subject} leva a um endereço que não é público ({seen}).",
      remedy: "Confira se os servidores de nomes da máquina não o bloqueiam.",
    },
    "push-service-held": {
      title: "Os envios para {subject} estão em espera: {seen}.",
      remedy: "`sineta status` diz o que o serviço de push respondeu, e o que fazer.",
    },
  } satisfies Record<DoctorCode, FindingTexts>,
};
