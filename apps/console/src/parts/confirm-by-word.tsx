import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { Texts } from "../texts/texts.ts";
import { useTexts } from "../texts/use-texts.tsx";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";

/** Asks for a word before something that cannot be undone. */
export function ConfirmByWord({
  isOpen,
  title,
  word,
  action,
  error,
  isBusy,
  onConfirm,
  onClose,
  children,
}: {
  isOpen: boolean;
  title: string;
  /** Which word the operator has to type. */
  word: keyof Texts["frame"]["confirmWords"];
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
  const asked = frame.confirmWords[word];
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
            label={frame.confirmByWord(asked)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            autoCapitalize="none"
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
              disabled={typed.trim().toLowerCase() !== asked}
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
