import { Button, CopyButton } from "@mantine/core";
import { mdiCheck, mdiContentCopy } from "@mdi/js";
import { useTexts } from "../texts/use-texts.tsx";
import { Icon } from "./icon.tsx";

/** Copies a text. @param label what is copied, where the button stands beside nothing that says it */
export function Copy({ value, label }: { value: string; label?: string }) {
  const { frame } = useTexts();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={<Icon path={copied ? mdiCheck : mdiContentCopy} size={18} />}
        >
          <span aria-live="polite">{copied ? frame.copied : (label ?? frame.copy)}</span>
        </Button>
      )}
    </CopyButton>
  );
}
