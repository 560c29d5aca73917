import { Button, Group, NumberInput, Skeleton, Switch, TextInput } from "@mantine/core";
import type { ProjectSettings } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { limits } from "@sineta/protocol/limits";
import { Problem } from "../../parts/problem.tsx";
import { settingsQuery, useChangeSettings } from "../../project/settings.ts";
import { useProject, type OwnProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./rows.module.css";
import { useTyped } from "./use-typed.ts";

/** Name, receipts and quotas, for owners. */
export function ProjectForm() {
  const project = useProject();
  const read = useQuery(settingsQuery(project));
  if (read.isError) return <Problem error={read.error} onRetry={() => void read.refetch()} />;
  if (read.data === undefined) return <Skeleton height={330} />;
  return <Form project={project} now={read.data} />;
}

function Form({ project, now }: { project: OwnProject; now: ProjectSettings }) {
  const { settings } = useTexts();
  const texts = settings.project;
  const change = useChangeSettings(project);
  const form = useTyped("project", now);
  const { shown } = form;
  const type = (one: Partial<ProjectSettings>) => {
    change.reset();
    form.type(one);
  };
  const discard = () => {
    change.reset();
    form.forget();
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(form.typed, { onSuccess: form.forget });
      }}
    >
      <TextInput
        label={texts.displayName}
        description={texts.displayNameWhat(project.name)}
        maxLength={limits.displayNameCharacters}
        value={shown.displayName}
        onChange={(event) => type({ displayName: event.currentTarget.value })}
      />
      <Switch
        label={texts.receipts}
        description={texts.receiptsWhat}
        checked={shown.receipts}
        onChange={(event) => type({ receipts: event.currentTarget.checked })}
      />
      <Count
        label={texts.registrationsQuota}
        description={texts.registrationsQuotaWhat}
        most={100_000_000}
        value={shown.registrationsQuota}
        onChange={(registrationsQuota) => type({ registrationsQuota })}
      />
      <Count
        label={texts.messagesQuota}
        description={texts.messagesQuotaWhat}
        most={100_000}
        value={shown.messagesPerHourQuota}
        onChange={(messagesPerHourQuota) => type({ messagesPerHourQuota })}
      />
      <Problem error={change.error} />
      <Group>
        <Button type="submit" loading={change.isPending} disabled={!form.isTyped}>
          {settings.save}
        </Button>
        {form.isTyped && !change.isPending && (
          <Button variant="default" onClick={discard}>
            {settings.discard}
          </Button>
        )}
        <output>{change.isSuccess ? settings.saved : ""}</output>
      </Group>
    </form>
  );
}

function Count({
  label,
  description,
  most,
  value,
  onChange,
}: {
  label: string;
  description: string;
  most: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const { thousand, decimal } = useFormat().separators;
  return (
    <NumberInput
      label={label}
      description={description}
      min={0}
      max={most}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator={thousand}
      decimalSeparator={decimal}
      hideControls
      inputMode="numeric"
      value={value}
      onValueChange={({ floatValue = 0 }) => {
        if (floatValue !== value) onChange(floatValue);
      }}
    />
  );
}
