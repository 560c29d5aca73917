import { Alert, Button, Group } from "@mantine/core";
import type { Autosave, SaveState } from "../logic/autosave.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import classes from "./send.module.css";

/** What has become of what was typed, in a line that is read out. */
export function SaveLine({ state }: { state: SaveState }) {
  return (
    <p className={classes.state} aria-live="polite" data-testid="save-state">
      <SaveText state={state} />
    </p>
  );
}

function SaveText({ state }: { state: SaveState }) {
  const { compose } = useTexts();
  const format = useFormat();
  switch (state.kind) {
    case "untouched":
    case "changed-elsewhere":
    case "published":
      return null;
    case "saving":
      return compose.saving;
    case "saved":
      return compose.savedAt(format.time(state.atMs));
    case "kept-here":
      return compose.keptHere(format.time(state.atMs));
    case "lost":
      return compose.notKept;
    default:
      return state satisfies never;
  }
}

/** Somebody else has saved something else: which of the two stays is asked. */
export function ChangedElsewhere({
  autosave,
  onSeeTheirs,
}: {
  autosave: Autosave;
  onSeeTheirs: () => void;
}) {
  const { compose } = useTexts();
  return (
    <Alert role="alert" color="yellow">
      <p>{compose.changedElsewhere}</p>
      <Group mt="sm" gap="xs">
        <Button variant="default" onClick={() => void autosave.overwrite()}>
          {compose.keepMine}
        </Button>
        <Button variant="default" onClick={onSeeTheirs}>
          {compose.seeTheirs}
        </Button>
      </Group>
    </Alert>
  );
}
