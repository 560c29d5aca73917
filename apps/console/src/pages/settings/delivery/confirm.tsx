import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog } from "../../../parts/dialog.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { useTexts } from "../../../texts/use-texts.tsx";

/** Says what will happen, and asks. */
export function Confirm({
  title,
  action,
  isBusy,
  error,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  /** What the button says. */
  action: string;
  /** The request runs, and the dialog stays until its answer. */
  isBusy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
  /** What will happen. */
  children: ReactNode;
}) {
  const { delivery: texts } = useTexts();
  const leave = () => {
    if (!isBusy) onClose();
  };
  return (
    <Dialog isOpen title={title} onClose={leave}>
      <Stack>
        {children}
        <Problem error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={leave} data-autofocus>
            {texts.keep}
          </Button>
          <Button loading={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
