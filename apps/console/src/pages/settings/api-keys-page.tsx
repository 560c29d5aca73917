import { Badge, Button, Skeleton } from "@mantine/core";
import type { ApiKeyList } from "@sineta/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { bodyOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Card } from "../../parts/card.tsx";
import { ConfirmByWord } from "../../parts/confirm-by-word.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Joined, Sentence } from "../../parts/sentence.tsx";
import { Relative, When } from "../../parts/when.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useNow } from "../../parts/use-now.ts";
import { CreateApiKey, newApiKey, RotateApiKey } from "./api-key-dialogs.tsx";
import { OwnersOnly } from "./owners-only.tsx";
import { apiKeysQuery } from "./queries.ts";
import classes from "./rows.module.css";
import { useTyped } from "./use-typed.ts";
import { isolated } from "../../parts/isolated.ts";

type ApiKey = ApiKeyList["apiKeys"][number];
type Doing = { what: "create" } | { what: "rotate" | "revoke"; key: ApiKey };

/** The keys with which programs send: made, followed by a successor, revoked. */
export function ApiKeysPage() {
  const { settings } = useTexts();
  const form = useTyped("api-key", newApiKey);
  /** What was begun before the page was loaded anew goes on. */
  const [doing, setDoing] = useState<Doing | null>(form.isTyped ? { what: "create" } : null);
  const texts = settings.apiKeys;
  return (
    <Page title={texts.title}>
      <OwnersOnly>
        <Keys onDo={setDoing} />
        {doing?.what === "create" && <CreateApiKey form={form} onClose={() => setDoing(null)} />}
        {doing?.what === "rotate" && (
          <RotateApiKey apiKey={doing.key} onClose={() => setDoing(null)} />
        )}
        {doing?.what === "revoke" && <Revoke apiKey={doing.key} onClose={() => setDoing(null)} />}
      </OwnersOnly>
    </Page>
  );
}

function Keys({ onDo }: { onDo: (doing: Doing) => void }) {
  const { settings } = useTexts();
  const texts = settings.apiKeys;
  const { data, dataUpdatedAt, error, refetch } = useQuery(apiKeysQuery(useProject()));
  // One that has just ended is over for whoever has just read so.
  const nowMs = Math.max(useNow(), dataUpdatedAt);
  // Those that are good first, the newest of each first.
  const keys = data?.apiKeys
    .toReversed()
    .toSorted((a, b) => Number(isGood(b, nowMs)) - Number(isGood(a, nowMs)));
  const create = <Button onClick={() => onDo({ what: "create" })}>{texts.create}</Button>;
  return (
    <Card title={texts.all} help={texts.what} actions={keys?.length !== 0 && create}>
      <Problem error={error} onRetry={() => void refetch()} />
      {keys === undefined && error === null && <Skeleton height={150} />}
      {keys?.length === 0 && <Empty drawing="key" sentence={texts.none} action={create} />}
      {keys !== undefined && keys.length > 0 && (
        <ul className={classes.rows}>
          {keys.map((key) => (
            <Key key={key.prefix} apiKey={key} nowMs={nowMs} onDo={onDo} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function isGood({ revokedAt, expiresAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs);
}

function Key({
  apiKey,
  nowMs,
  onDo,
}: {
  apiKey: ApiKey;
  nowMs: number;
  onDo: (doing: Doing) => void;
}) {
  const { settings } = useTexts();
  const texts = settings.apiKeys;
  const { prefix, name, scopes, createdAt, lastUsedAt, expiresAt, revokedAt } = apiKey;
  const shown = name || prefix;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <p className={classes.names}>
          <strong dir="auto">{shown}</strong> {name !== "" && <code>{prefix}…</code>}
          {scopes.map((scope) => (
            <Badge key={scope} variant="default" tt="none">
              {texts.scopes[scope].name}
            </Badge>
          ))}
          {!isGood(apiKey, nowMs) && (
            <Badge variant="default" tt="none">
              {revokedAt === null ? texts.expired : texts.revoked}
            </Badge>
          )}
        </p>
        <p>{scopes.map((scope) => texts.scopes[scope].what).join(" ")}</p>
        <p className={classes.soft}>
          <Joined>
            <Sentence of={texts.madeAt}>
              <When at={createdAt} isAfterVerb />
            </Sentence>
            {lastUsedAt === null ? (
              texts.neverUsed
            ) : (
              <Sentence of={texts.usedAt}>
                <Relative at={lastUsedAt} nowMs={nowMs} />
              </Sentence>
            )}
            {revokedAt !== null && (
              <Sentence of={texts.revokedAt}>
                <When at={revokedAt} isAfterVerb />
              </Sentence>
            )}
            {expiresAt !== null && revokedAt === null && (
              <Sentence of={isGood(apiKey, nowMs) ? texts.expiresAt : texts.expiredAt}>
                <When at={expiresAt} isAfterVerb={!isGood(apiKey, nowMs)} />
              </Sentence>
            )}
          </Joined>
        </p>
      </div>
      {isGood(apiKey, nowMs) && (
        <div className={classes.actions}>
          <Button
            variant="default"
            aria-label={texts.rotateNamed(isolated(shown))}
            onClick={() => onDo({ what: "rotate", key: apiKey })}
          >
            {texts.rotate}
          </Button>
          <Button
            variant="default"
            aria-label={texts.revokeNamed(isolated(shown))}
            onClick={() => onDo({ what: "revoke", key: apiKey })}
          >
            {texts.revoke}
          </Button>
        </div>
      )}
    </li>
  );
}

function Revoke({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { settings } = useTexts();
  const project = useProject();
  const queries = useQueryClient();
  const name = apiKey.name || apiKey.prefix;
  const revoke = useMutation({
    mutationFn: () => bodyOf(ask("DELETE", `${project.path}/api-keys/${apiKey.prefix}`)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: apiKeysQuery(project).queryKey });
      onClose();
    },
  });
  return (
    <ConfirmByWord
      isOpen
      title={settings.apiKeys.revokeNamed(isolated(name))}
      word="revoke"
      action={settings.apiKeys.revoke}
      error={revoke.error}
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      {/* Two keys may have one name. */}
      {apiKey.name !== "" && <code>{apiKey.prefix}…</code>}
      <p>{settings.apiKeys.revokeWhat}</p>
    </ConfirmByWord>
  );
}
