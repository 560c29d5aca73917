/** What went wrong, by the codes of the server (docs/errors.md): what happened, and what to do. */
export const problems: Readonly<Record<string, string>> = {
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
  "email-taken": "Já existe uma conta com este e-mail: entre com ela e abra o convite de novo.",
  "passwords-busy": "O servidor está ocupado. Tente de novo em instantes.",
  "body-invalid": "Confira o que você preencheu.",
  "topic-taken": "Já existe um tópico com este nome: escolha outro, ou mude o que existe.",
  "topics-exhausted": "O projeto já tem 1.000 tópicos, o máximo. Remova um primeiro.",
  "topic-unknown": "Não há tópico com este nome. Recarregue a página.",
  "registration-not-found":
    "Não há registro com este token. Confira o token; registros encerrados são removidos depois de um tempo.",
  "session-ended": "A sua sessão terminou. Entre de novo.",
  "session-missing": "Entre para continuar.",
  "role-missing": "O seu papel neste projeto não permite isto. Peça a quem é proprietário(a).",
  "password-wrong": "A senha atual não é esta. Digite-a de novo.",
  "password-missing": "Você entrou há mais de 10 minutos: digite a sua senha para continuar.",
  "code-wrong":
    "Este código não confere, ou já foi usado. Espere o próximo e confira o relógio do celular.",
  "second-factor-present": "O segundo fator já está ligado. Recarregue a página.",
  "second-factor-absent": "O segundo fator não está ligado. Recarregue a página e comece de novo.",
  "passkey-invalid": "O pedido venceu ou não confere. Tente de novo, em até 5 minutos.",
  "passkey-known": "Esta chave de acesso já está em uso. Crie outra.",
  "passkeys-exhausted": "Você já tem 20 chaves de acesso. Remova uma primeiro.",
  "passkey-unknown": "Esta chave de acesso não existe mais. Recarregue a página.",
  "session-unknown": "Esta sessão já terminou.",
  "last-owner":
    "Esta é a única pessoa proprietária do projeto. Dê este papel a outra pessoa primeiro.",
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
    "Este navegador já não está registrado. Recarregue a página e ligue o sino de novo.",
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
};

export const unknownProblem = (code: string) => `Algo deu errado (${code}). Tente de novo.`;
