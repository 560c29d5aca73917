import type { HoldBody } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { useProject } from "../../../session/operator.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Confirm } from "./confirm.tsx";

/** Asks before the server sends nothing any more. */
export function HoldDialog({ onClose, onHeld }: { onClose: () => void; onHeld: () => void }) {
  const { delivery: texts } = useTexts();
  const project = useProject();
  const queries = useQueryClient();
  const hold = useMutation({
    mutationFn: () => bodyOf(ask<{ hold: HoldBody }>("POST", `${project.path}/delivery/hold`)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [project.name] });
      onHeld();
    },
  });
  return (
    <Confirm
      title={texts.holdTitle}
      action={texts.hold}
      isBusy={hold.isPending}
      error={hold.error}
      onConfirm={() => hold.mutate()}
      onClose={onClose}
    >
      <p>{texts.holdWhat}</p>
      <p>{texts.holdKeeps}</p>
    </Confirm>
  );
}
