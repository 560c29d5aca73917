import { Alert, Button, Group, Stack } from "@mantine/core";
import { mdiAlertOutline } from "@mdi/js";
import { Copy } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./rows.module.css";

/** What the server shows this once: a key, a link, codes. Stays until whoever reads it says that it is kept. */
export function ShownOnce({
  label,
  lines,
  isForAnother = false,
  onKept,
}: {
  /** What it is. */
  label: string;
  lines: readonly string[];
  /** Whether it is handed on to somebody, and not kept. */
  isForAnother?: boolean;
  onKept: () => void;
}) {
  const { settings } = useTexts();
  return (
    <Stack>
      <Alert color="yellow" icon={<Icon path={mdiAlertOutline} />}>
        {isForAnother ? settings.shownOnceToHandOn : settings.shownOnce}
      </Alert>
      <section aria-label={label}>
        <code className={classes.secret}>
          {lines.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </code>
      </section>
      <Group justify="space-between">
        <Copy value={lines.join("\n")} />
        <Button onClick={onKept}>{isForAnother ? settings.handedOn : settings.kept}</Button>
      </Group>
    </Stack>
  );
}
