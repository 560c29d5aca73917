import type { HttpErrorCode } from "@sineta/protocol";

/** Codes of what goes wrong before the server answers. */
type OwnCode = "offline" | "server-unreachable" | "unexpected";

/** What went wrong and what to do, by the server's codes (docs/errors.md) and the console's own. */
export const problems = {
  "log-in-refused": "E-mail ou senha não conferem.",
  "second-factor-missing": "Falta o código do segundo fator.",
  "second-factor-wrong": "Este código não confere. Confira também o relógio do celular.",
  "too-many-attempts": "Foram muitas tentativas. Espere alguns minutos e tente de novo.",
  "password-short": "A senha é curta demais: use 10 caracteres ou mais.",
  "password-long": "A senha é longa demais: use no máximo 200 caracteres.",
  "password-common": "Esta senha é comum demais e fácil de adivinhar. Escolha outra.",
  "password-like-email": "A senha é feita quase só do seu e-mail: acrescente outras palavras.",
  "invitation-gone": "Este convite já foi usado, foi retirado ou venceu. Peça outro.",
  "invitation-for-another": "Este convite é para outro e-mail.",
  "email-taken": "Já existe uma conta com este e-mail: toque em “Já tenho conta”.",
  "passwords-busy": "O servidor está ocupado. Tente de novo em instantes.",
  "body-invalid": "Confira o que você preencheu.",
  "topic-taken": "Já existe um tópico com este nome: escolha outro, ou mude o que existe.",
  "topics-exhausted": "O projeto já tem 1.000 tópicos, o máximo. Remova um primeiro.",
  "topic-unknown": "Não há tópico com este nome. Recarregue a página.",
  "registration-not-found":
    "Não há registro com este token. Confira o token; registros encerrados são removidos depois de um tempo.",
  "session-ended": "A sua sessão terminou. Entre de novo.",
  "session-missing": "Entre para continuar.",
  "role-missing": "O seu papel neste projeto não permite isto. Peça a um dono do projeto.",
  "password-wrong": "A senha atual não é esta. Digite-a de novo.",
  "password-missing": "Você entrou há mais de 10 minutos: digite a sua senha para continuar.",
  "code-wrong":
    "Este código não confere, ou já foi usado. Espere o próximo e confira o relógio do celular.",
  "second-factor-present": "O segundo fator já está ativado. Recarregue a página.",
  "second-factor-absent": "O segundo fator não está ativado. Recarregue a página e comece de novo.",
  "passkey-invalid": "O pedido venceu ou não confere. Tente de novo, em até 5 minutos.",
  "passkey-known": "Esta chave de acesso já está em uso. Crie outra.",
  "passkeys-exhausted": "Você já tem 20 chaves de acesso. Remova uma primeiro.",
  "passkey-unknown": "Esta chave de acesso não existe mais. Recarregue a página.",
  "session-unknown": "Esta sessão já terminou.",
  "last-owner": "Esta pessoa é o único dono do projeto. Dê este papel a outra pessoa primeiro.",
  "operator-unknown": "Esta pessoa já não está no projeto. Recarregue a página.",
  "api-key-not-found": "Esta chave já não vale. Recarregue a página.",
  "expiry-in-past": "A validade já passou. Escolha outra.",
  "origin-not-allowed":
    "Este endereço não é de uma das origens do projeto. Acrescente a origem nos ajustes do projeto ou, se estiver definida, em SINETA_ORIGINS.",
  "cross-site-refused":
    "O painel foi aberto em um endereço que não é o da Sineta, e por isso nada foi gravado.",
  "origins-set-by-environment":
    "As origens vêm de SINETA_ORIGINS: mude a variável no servidor e inicie-o de novo.",
  "too-many-requests": "Foram pedidos demais em pouco tempo. Espere um minuto e tente de novo.",
  "message-quota-reached":
    "O projeto já publicou todos os avisos que pode nesta hora. Espere, ou aumente o limite nos ajustes.",
  "token-not-found":
    "Este navegador já não está registrado. Recarregue a página e ative os avisos de novo.",
  "storage-full":
    "O disco do servidor está cheio: nada foi gravado. Libere espaço e tente de novo.",
  offline: "Sem conexão: nada foi enviado. Tente de novo.",
  "server-unreachable": "O servidor não respondeu. Confira a conexão e tente de novo.",
  "draft-unknown": "Este rascunho não existe mais.",
  "hold-changed": "O envio mudou enquanto você o via. Recarregue a página.",
  "message-started": "O aviso agendado já começou a sair e não pode mais ser mudado.",
  "message-ended": "Este aviso já terminou e não pode mais ser mudado nem cancelado.",
  "message-replaced": "O aviso agendado já foi substituído por outro.",
  "draft-changed": "Este rascunho mudou em outro lugar.",
  "draft-published": "Este rascunho já foi enviado.",
  "drafts-exhausted": "O projeto já tem 200 rascunhos. Apague alguns.",
  "image-unreadable":
    "Este arquivo não é uma imagem que todos os navegadores mostrem, ou está incompleto. Use PNG, JPEG ou WebP.",
  "image-too-large":
    "Esta imagem é grande demais, mesmo reduzida. Use uma de até 300 kB e 2.048 pixels.",
  "images-exhausted": "O projeto já tem 500 imagens. Apague as que nenhum aviso usa mais.",
  "image-in-use": "Um aviso que ainda está por sair usa esta imagem. Espere, ou cancele o aviso.",
  "image-unknown": "Esta imagem não existe mais.",
  "notification-too-large": "O aviso passa do que os serviços de push carregam. Encurte-o.",
  "condition-invalid": "Esta condição não pode ser lida.",
  "schedule-in-past": "O momento escolhido já passou.",
  "schedule-too-far": "Escolha um momento dentro de um ano.",
  "message-not-found": "Este aviso não existe.",
  "json-malformed": "O servidor não conseguiu ler o pedido. Recarregue a página e tente de novo.",
  "body-too-large": "Isto é grande demais para o servidor. Encurte-o.",
  "content-type-unsupported":
    "O servidor não aceita este tipo de conteúdo. Recarregue a página e tente de novo.",
  "content-encoding-unsupported":
    "O servidor não aceita conteúdo comprimido. Veja se um proxy à frente dele comprime os pedidos.",
  "charset-unsupported":
    "O servidor só lê texto em UTF-8. Veja se um proxy à frente dele muda os cabeçalhos.",
  "subscription-key-invalid":
    "A inscrição deste navegador tem uma chave inválida. Ative os avisos de novo.",
  "subscription-auth-invalid":
    "A inscrição deste navegador tem um segredo inválido. Ative os avisos de novo.",
  "endpoint-not-allowed":
    "A Sineta não envia ao serviço de push deste navegador. Se o serviço é seu, permita o nome dele com SINETA_PUSH_HOSTS.",
  "vapid-key-unknown":
    "A inscrição deste navegador foi feita com outra chave. Recarregue a página e ative os avisos de novo.",
  "client-secret-malformed":
    "O servidor não reconhece este navegador. Recarregue a página e ative os avisos de novo.",
  "origin-missing":
    "O pedido chegou sem o cabeçalho Origin. Veja se um proxy à frente do servidor o remove.",
  "project-unknown": "Este projeto não existe.",
  "registration-unknown":
    "Este navegador já não está registrado. Recarregue a página e ative os avisos de novo.",
  "registration-refused":
    "O servidor não aceita esta inscrição. Recarregue a página e ative os avisos de novo.",
  "subscription-gone":
    "O serviço de push encerrou a inscrição deste navegador. Recarregue a página e ative os avisos de novo.",
  "topic-kept": "Este tópico é fechado: só o seu sistema ou a sua equipe põe alguém nele.",
  "user-token-invalid":
    "O servidor não aceita a identificação que o site deu a este usuário. Confira a chave com que o site a assina.",
  "user-token-expired":
    "A identificação que o site deu a este usuário venceu. Recarregue a página.",
  "quota-reached":
    "O projeto já tem todos os navegadores que pode ter. Aumente o limite nos ajustes.",
  "too-many-at-once":
    "O servidor está fazendo muitos trabalhos como este. Espere um pouco e tente de novo.",
  "dry-run-limit-reached":
    "Foram pedidas muitas contagens de público em pouco tempo. Espere um minuto.",
  "export-limit-reached":
    "Você exportou muitas vezes em pouco tempo. Espere um minuto e tente de novo.",
  "receipt-refused":
    "O servidor não aceita esta confirmação: ela não é deste aviso, ou veio tarde demais.",
  "api-key-missing": "Falta a chave de API, ou alguém que tenha entrado. Entre de novo.",
  "api-key-invalid": "Esta chave de API não vale: ela é de outro projeto, foi revogada ou venceu.",
  "scope-missing": "Esta chave de API não tem permissão para isto.",
  "passkey-refused": "Esta chave de acesso não foi aceita. Tente de novo, ou entre com a senha.",
  "idempotency-key-malformed":
    "O pedido tem uma identificação inválida. Recarregue a página e tente de novo.",
  "idempotency-key-reused":
    "Outro aviso já foi enviado a partir desta página. Recarregue-a e veja a lista de avisos.",
  "streams-exhausted": "Há muitas páginas acompanhando avisos ao vivo. Feche algumas.",
  "route-unknown":
    "Esta página pediu algo que o servidor não conhece. Recarregue-a: talvez o servidor tenha mudado de versão.",
  "not-ready":
    "O servidor não consegue trabalhar agora. Tente de novo em instantes; o log do servidor diz a causa.",
  internal: "O servidor falhou. Tente de novo; o log do servidor diz a causa.",
  unexpected: "Algo falhou nesta página. Recarregue-a e tente de novo.",
} satisfies Record<HttpErrorCode | OwnCode, string>;

export const unknownProblem = (code: string) => `Algo deu errado (${code}). Tente de novo.`;
