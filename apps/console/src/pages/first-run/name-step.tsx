import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { limits } from "@sineta/protocol/limits";
import { Problem } from "../../parts/problem.tsx";
import { tidyName } from "../../parts/tidy-text.ts";
import { useChangeSettings } from "../../project/settings.ts";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./first-run-page.module.css";

/** Gives the project the name that people read. @param name as it is; empty: it has none */
export function NameStep({ name }: { name: string }) {
  const { firstRun, settings, session } = useTexts();
  const project = useProject();
  const change = useChangeSettings(project);
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? name;
  if (!project.may("owner")) {
    return <p className={classes.soft}>{name || session.mayNot(session.roles.owner)}</p>;
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ displayName: shown }, { onSuccess: () => setTyped(null) });
      }}
    >
      <TextInput
        label={settings.project.displayName}
        description={firstRun.nameWhat}
        maxLength={limits.displayNameCharacters}
        value={shown}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Problem error={change.error} />
      <Group>
        <Button
          type="submit"
          loading={change.isPending}
          disabled={["", name].includes(tidyName(shown))}
        >
          {settings.save}
        </Button>
      </Group>
    </form>
  );
}
