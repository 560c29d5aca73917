import { globSync, readFileSync } from "node:fs";
import type { AuditLineBody } from "@sineta/protocol";
import { expect, test } from "vitest";
import { createFormat } from "../../texts/format.ts";
import { settings as en } from "../../texts/en/settings.ts";
import { settings as es } from "../../texts/es/settings.ts";
import { session } from "../../texts/pt/session.ts";
import { settings as pt } from "../../texts/pt/settings.ts";
import { changeText, noticeOf, subjectOf, type AuditWording } from "./audit-words.ts";

const words: AuditWording = {
  audit: pt.audit,
  devices: session,
  roles: session.roles,
  format: createFormat("pt-BR"),
};
const line = (over: Partial<AuditLineBody>): AuditLineBody => ({
  id: 1,
  at: "2026-11-22T12:00:00.000Z",
  actor: { kind: "operator", name: "baker@site.example" },
  action: "x",
  subject: "",
  address: null,
  change: null,
  ...over,
});

const server = new URL("../../../../../packages/server/src/", import.meta.url);
const noun =
  /"((?:api-key|audit|delivery|draft|image|invitation|message|operator|passkey|recovery-codes|registration|second-factor|secret|session|settings|topic)\.[a-z-]+|(?:messages|registrations)\.exported)"/g;
const actions = new Set(
  globSync("**/*.ts", { cwd: server, exclude: ["**/*.test.ts", "**/contract/**", "**/testing/**"] })
    .map((path) => readFileSync(new URL(path, server), "utf8"))
    .flatMap((text) => Array.from(text.matchAll(noun), ([, action = ""]) => action)),
);

test.for(Object.entries({ pt, en, es }))(
  "all that the server writes down has its words: %s",
  ([, texts]) => {
    expect(actions.size).toBeGreaterThan(30);
    expect(Object.keys(texts.audit.actions)).toEqual(expect.arrayContaining([...actions]));
  },
);

test("a resume says which hold it ended, and how many notices it cancelled", () => {
  const change = { reason: "cloned", cancelled: 3, sendDue: false };
  expect(changeText(line({ action: "delivery.resumed", change }), words)).toBe(
    "motivo: pasta de dados copiada, avisos cancelados: 3, tudo enviado: não",
  );
});

test("a notice is known by its title, and leads to its page", () => {
  const change = { title: "Pão quente", target: { kind: "topic", topic: "pao" } };
  const published = line({ action: "message.published", subject: "0199c0de", change });
  expect(subjectOf(published, words)).toBe("“Pão quente”");
  expect(noticeOf(published)).toBe("0199c0de");
  expect(changeText(published, words)).toBe("para: tópico pao");
  const cancelled = line({ action: "message.cancelled", subject: "0199c0de" });
  expect([subjectOf(cancelled, words), noticeOf(cancelled), changeText(cancelled, words)]).toEqual([
    "",
    "0199c0de",
    "",
  ]);
  expect(noticeOf(line({ action: "topic.created", subject: "pao" }))).toBeNull();
});

test.for<[action: string, subject: string, text: string]>([
  ["topic.created", "pao", "pao"],
  ["invitation.created", "miller@site.example", "miller@site.example"],
  // The line names the actor already.
  ["operator.logged-in", "baker@site.example", ""],
  ["operator.role-removed", "baker@site.example", "baker@site.example"],
  // The one project that the page is about.
  ["settings.changed", "default", ""],
  // Ids, which no page shows.
  ["draft.removed", "0199c0de", ""],
  ["invitation.withdrawn", "0199c0de", ""],
  ["operator.log-in-refused", "(no operator's)", "sem conta aqui"],
])("the subject of %s, %s, is told as: %j", ([action, subject, text]) => {
  expect(subjectOf(line({ action, subject }), words)).toBe(text);
});

test.for<[action: string, change: AuditLineBody["change"], text: string]>([
  ["topic.created", { policy: "kept" }, "entrada: fechada"],
  // An operator may type a text that looks like a code.
  ["topic.changed", { displayName: "figures" }, "nome: figures"],
  ["topic.changed", { displayName: "" }, "nome: nenhum"],
  [
    "settings.changed",
    { displayName: "viewer", before: { displayName: "" } },
    "nome: nenhum → viewer",
  ],
  ["message.exported", { table: "figures" }, "tabela: números por serviço de push"],
  [
    "registrations.exported",
    { filtered: true, withTokens: true },
    "filtrado: sim, com tokens: sim",
  ],
  ["operator.role-changed", { role: "editor", before: "viewer" }, "papel: Leitor → Editor"],
  ["settings.changed", { receipts: false, before: { receipts: true } }, "confirmações: sim → não"],
  ["api-key.created", { scopes: ["send", "read"] }, "pode: enviar, ler"],
  ["message.published", { title: "Oi", target: { kind: "all" } }, "para: todos"],
  ["message.published", { title: "Oi", replaces: "0199c0de" }, "no lugar de: outro aviso"],
  ["message.cancelled", { replacedBy: "0199c0de" }, "substituído por: outro aviso"],
  [
    "operator.logged-in",
    {
      with: "password",
      device: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    },
    "com: senha, aparelho: Firefox em Linux",
  ],
  [
    "api-key.created",
    { name: "", scopes: ["send"], expiresAt: null },
    "nome: nenhum, pode: enviar",
  ],
  ["api-key.created", { name: "figures", scopes: ["read"] }, "nome: figures, pode: ler"],
  ["settings.changed", { quota: null, before: { quota: 5 } }, "quota: 5 → nenhum"],
  ["operator.logged-in", { with: "invitation" }, "com: convite"],
  ["operator.logged-in", { with: "password and totp" }, "com: senha e código do aplicativo"],
  [
    "operator.logged-in",
    { with: "password and recovery-code" },
    "com: senha e código de recuperação",
  ],
  // Ids, which no page shows.
  ["message.published", { title: "Oi", draft: "0199c0de" }, ""],
  ["session.ended", { session: "0199c0de" }, ""],
  [
    "operator.removed",
    { apiKeys: ["sineta_ab", "sineta_cd"] },
    "chaves que criou e ainda valem: sineta_ab, sineta_cd",
  ],
  ["second-factor.removed", { with: "recovery-code" }, "com: código de recuperação"],
  ["operator.log-in-refused", { reason: "second-factor" }, "motivo: segundo fator"],
  ["x.made", { unheard: "of" }, "unheard: of"],
])("%s is told in words: %j", ([action, change, text]) => {
  expect(changeText(line({ action, change }), words)).toBe(text);
});
