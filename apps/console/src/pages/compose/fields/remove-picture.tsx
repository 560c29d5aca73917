import { Button, Group, Stack } from "@mantine/core";
import type { Image, ImageUses } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { ConfirmByWord } from "../../../parts/confirm-by-word.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { useProject } from "../../../session/operator.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import classes from "./fields.module.css";

/** What a picture is called: it has no other name than its address. */
export function pictureName({ hash, type }: Image): string {
  return `${hash.slice(0, 6)}.${type}`;
}

/** Asks before a picture is deleted, with what uses it; of one that a notice needs which is still to go out, says so. */
export function RemovePicture({
  image,
  uses,
  onRemoved,
  onClose,
}: {
  image: Image;
  uses: ImageUses;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const { compose, frame } = useTexts();
  const format = useFormat();
  const project = useProject();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => bodyOf(ask("DELETE", `${project.path}/images/${image.hash}`)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [project.name, "images"] });
      onRemoved();
    },
  });
  const name = pictureName(image);
  const title = compose.removeEarlierTitle(name);
  const { drafts, messages } = uses;
  const what = (
    <>
      <img className={classes.removed} src={image.url} alt="" />
      <p>{compose.usedInDrafts(drafts, format.number(drafts))}</p>
      <p>{compose.usedInNotices(messages, format.number(messages))}</p>
    </>
  );
  if (messages > 0) {
    return (
      <Dialog isOpen onClose={onClose} title={title}>
        <Stack>
          {what}
          <p>{compose.removeEarlierNot}</p>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {frame.close}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    );
  }
  return (
    <ConfirmByWord
      isOpen
      title={title}
      word="delete"
      action={compose.removeEarlierYes}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {what}
      <p>{compose.removeEarlierWhat}</p>
    </ConfirmByWord>
  );
}
