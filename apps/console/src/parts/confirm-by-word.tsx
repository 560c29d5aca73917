import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useTexts } from "../texts/use-texts.tsx";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";
import { isolated, withoutMarks } from "./isolated.ts";

/** Asks for a name before something that cannot be undone. */
export function ConfirmByWord({
  isOpen,
  title,
  name,
  action,
  error,
  isBusy,
  onConfirm,
  onClose,
  children,
}: {
  isOpen: boolean;
  title: string;
  /** What has to be typed. */
  name: string;
  /** What the button says. */
  action: string;
  error: unknown;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** What will happen. */
  children: ReactNode;
}) {
  const { frame } = useTexts();
  const [typed, setTyped] = useState("");
  const close = () => {
    setTyped("");
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <Stack>
          {children}
          <TextInput
            label={frame.confirmByWord(isolated(name))}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Problem error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {frame.cancel}
            </Button>
            <Button
              type="submit"
              color="red"
              disabled={withoutMarks(typed) !== name}
              loading={isBusy}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
