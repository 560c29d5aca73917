import { Button, Group, Stack } from "@mantine/core";
import { Dialog } from "../parts/dialog.tsx";
import { useTexts } from "../texts/use-texts.tsx";

/** Asks before drafts are lost that this browser alone keeps. */
export function LogOutDialog({
  isOpen,
  isBusy,
  onLogOut,
  onClose,
}: {
  isOpen: boolean;
  isBusy: boolean;
  onLogOut: () => void;
  onClose: () => void;
}) {
  const { frame } = useTexts();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={frame.logOutTitle}>
      <Stack>
        <p>{frame.logOutLoses}</p>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {frame.cancel}
          </Button>
          <Button color="red" loading={isBusy} onClick={onLogOut}>
            {frame.logOutAnyway}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
