import { List } from "@mantine/core";
import type { DeliveryBody, Resumed } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf, codeOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { useProject } from "../../../session/operator.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { fates, outcomeOf, resumeBody, unlistedIn, type Choice } from "./choice.ts";
import { Confirm } from "./confirm.tsx";

/** The hold has changed, or a message of the list is not there any more. */
const staleCodes: ReadonlySet<string> = new Set(["hold-changed", "body-invalid"]);

/** Says in numbers what a resume does, and asks. */
export function ResumeDialog({
  delivery,
  choice,
  onClose,
  onResumed,
  onStale,
}: {
  /** As it was shown. */
  delivery: DeliveryBody;
  choice: Choice;
  onClose: () => void;
  onResumed: (cancelled: number) => void;
  /** Called when the server refuses the resume, because the hold or its list has changed. */
  onStale: () => void;
}) {
  const { delivery: texts } = useTexts();
  const format = useFormat();
  const project = useProject();
  const queries = useQueryClient();
  const resume = useMutation({
    mutationFn: () => {
      const body = resumeBody(delivery, choice);
      return bodyOf(ask<Resumed>("POST", `${project.path}/delivery/resume`, { body }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [project.name] }),
  });
  const outcome = outcomeOf(delivery, choice);
  const shown = fates.filter((fate) => outcome[fate] > 0);
  const unlisted = unlistedIn(delivery);
  return (
    <Confirm
      title={texts.resumeTitle}
      action={texts.resume}
      isBusy={resume.isPending}
      error={resume.error}
      onConfirm={() =>
        resume.mutate(undefined, {
          onSuccess: ({ state, cancelled }) =>
            state === "held" ? onStale() : onResumed(cancelled),
          onError: (error) => {
            if (staleCodes.has(codeOf(error))) onStale();
          },
        })
      }
      onClose={onClose}
    >
      {shown.length === 0 && <p>{texts.nothingWaits}</p>}
      {shown.length > 0 && (
        <List>
          {shown.map((fate) => (
            <List.Item key={fate}>
              {texts.outcome[fate](outcome[fate], format.number(outcome[fate]))}
            </List.Item>
          ))}
        </List>
      )}
      {choice.all && unlisted > 0 && <p>{texts.unlistedMayExpire}</p>}
      {!choice.all && unlisted > 0 && (
        <p>{texts.unlistedCancelled(unlisted, format.number(unlisted))}</p>
      )}
      {delivery.hold?.reason !== "asked" && <p>{texts.stopOther}</p>}
    </Confirm>
  );
}
