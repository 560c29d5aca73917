import { Badge, Button, NativeSelect, Skeleton } from "@mantine/core";
import type { OperatorList } from "@sineta/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { bodyOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Card } from "../../parts/card.tsx";
import { ConfirmByWord } from "../../parts/confirm-by-word.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { Relative } from "../../parts/when.tsx";
import { operatorQuery, useOperator, useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Invitations } from "./invitations.tsx";
import { OwnersOnly } from "./owners-only.tsx";
import { operatorsQuery } from "./queries.ts";
import { useRoleChoices } from "./role-choices.ts";
import classes from "./rows.module.css";
import { isolated } from "../../parts/isolated.ts";

type Operator = OperatorList["operators"][number];

/** Who may do what: operators with their roles, and invitations. */
export function OperatorsPage() {
  const { settings } = useTexts();
  const [removed, setRemoved] = useState<Operator | null>(null);
  const texts = settings.operators;
  return (
    <Page title={texts.title}>
      <OwnersOnly>
        <Card title={texts.all} help={texts.rolesWhat}>
          <Operators onRemove={setRemoved} />
        </Card>
        <Invitations />
        {removed !== null && <Remove operator={removed} onClose={() => setRemoved(null)} />}
      </OwnersOnly>
    </Page>
  );
}

function Operators({ onRemove }: { onRemove: (operator: Operator) => void }) {
  const { data, error, refetch } = useQuery(operatorsQuery(useProject()));
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={150} />;
  return (
    <ul className={classes.rows}>
      {data.operators.map((operator) => (
        <Row key={operator.id} operator={operator} onRemove={onRemove} />
      ))}
    </ul>
  );
}

function Row({
  operator,
  onRemove,
}: {
  operator: Operator;
  onRemove: (operator: Operator) => void;
}) {
  const { settings } = useTexts();
  const texts = settings.operators;
  const project = useProject();
  const queries = useQueryClient();
  const own = useOperator().id === operator.id;
  const choices = useRoleChoices();
  const change = useMutation({
    mutationFn: (role: string) =>
      bodyOf(ask("PUT", `${project.path}/operators/${operator.id}`, { body: { role } })),
    onSuccess: async () => {
      // Whoever takes the owner's role from themselves sees less from then on.
      if (own) await queries.invalidateQueries({ queryKey: operatorQuery.queryKey });
      await queries.invalidateQueries({ queryKey: operatorsQuery(project).queryKey });
    },
  });
  const { email, name, lastLoginAt, hasSecondFactor } = operator;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <p className={classes.names}>
          <strong dir="auto">{name}</strong>{" "}
          {own && (
            <Badge variant="light" tt="none">
              {texts.you}
            </Badge>
          )}
          {hasSecondFactor && (
            <Badge variant="default" tt="none">
              {texts.hasSecondFactor}
            </Badge>
          )}
        </p>
        <p className={classes.soft}>
          {email} ·{" "}
          {lastLoginAt === null ? (
            texts.neverLoggedIn
          ) : (
            <Sentence of={texts.lastLogin}>
              <Relative at={lastLoginAt} />
            </Sentence>
          )}
        </p>
      </div>
      <div className={classes.actions}>
        <NativeSelect
          aria-label={texts.roleOf(isolated(name))}
          data={choices}
          // At once as chosen; back again if the server refuses.
          value={change.isPending ? change.variables : operator.role}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.value)}
        />
        <Button
          variant="default"
          aria-label={texts.removeNamed(isolated(name))}
          onClick={() => onRemove(operator)}
        >
          {texts.remove}
        </Button>
      </div>
      <Problem error={change.error} />
    </li>
  );
}

function Remove({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const { settings } = useTexts();
  const project = useProject();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => bodyOf(ask("DELETE", `${project.path}/operators/${operator.id}`)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: operatorsQuery(project).queryKey });
      onClose();
    },
  });
  return (
    <ConfirmByWord
      isOpen
      title={settings.operators.removeNamed(isolated(operator.name))}
      word="remove"
      action={settings.operators.remove}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {/* Two operators may have one name. */}
      <p>{operator.email}</p>
      <p>{settings.operators.removeWhat}</p>
    </ConfirmByWord>
  );
}
