import { Button, Group, Stack, TextInput } from "@mantine/core";
import type { TopicEdit, TopicList } from "@sineta/protocol";
import { limits } from "@sineta/protocol/limits";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { bodyOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/problem.tsx";
import { topicsQuery } from "../../project/use-topics.ts";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";

/** Changes what people read as a topic's name. Its technical name stays: the site's code has it. */
export function RenameTopic({
  topic: { name, displayName },
  isOpen,
  onClose,
}: {
  topic: TopicList["topics"][number];
  isOpen: boolean;
  onClose: () => void;
}) {
  const { frame, audience } = useTexts();
  const texts = audience.topics;
  const project = useProject();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const rename = useMutation({
    mutationFn: (body: TopicEdit) =>
      bodyOf(ask("PATCH", `${project.path}/topics/${name}`, { body })),
    onSuccess: async () => {
      await queries.invalidateQueries(topicsQuery(project));
      close();
    },
  });
  const close = () => {
    rename.reset();
    setTyped(null);
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={texts.renameTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === null || typed === displayName) close();
          else rename.mutate({ displayName: typed });
        }}
      >
        <Stack>
          <TextInput
            label={texts.name}
            description={texts.renameWhat(name)}
            value={typed ?? displayName}
            maxLength={limits.displayNameCharacters}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Problem error={rename.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {frame.cancel}
            </Button>
            <Button type="submit" loading={rename.isPending}>
              {texts.renameSave}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
