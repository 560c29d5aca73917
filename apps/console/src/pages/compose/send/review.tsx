import { Button, Group, Stack, useComputedColorScheme } from "@mantine/core";
import type { DryRun, MessageRequest } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { bodyOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { Problem } from "../../../parts/problem.tsx";
import { DeliveryHeld } from "../../../project/delivery-held.tsx";
import { useProject } from "../../../session/operator.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { isAboutReplaced } from "../logic/refused.ts";
import { obstaclesOf } from "../logic/obstacles.ts";
import type { Written } from "../logic/written.ts";
import { Preview } from "../previews/preview.tsx";
import { ReviewFacts } from "./review-facts.tsx";
import classes from "./send.module.css";

/** What will happen, before it does: counted once more, for exactly this request. */
export function Review({
  request,
  written,
  error,
  isSending,
  onSend,
  onClose,
}: {
  /** Null: it is closed. */
  request: MessageRequest | null;
  written: Written;
  error: unknown;
  isSending: boolean;
  onSend: () => void;
  onClose: () => void;
}) {
  const { compose } = useTexts();
  const format = useFormat();
  const project = useProject();
  const colors = useComputedColorScheme("light");
  const dryRun = useQuery({
    queryKey: [project.name, "review", JSON.stringify(request)],
    enabled: request !== null,
    gcTime: 0,
    staleTime: 0,
    queryFn: ({ signal }) => {
      const body = { ...request, dryRun: true };
      return bodyOf(ask<DryRun>("POST", `${project.path}/messages`, { body, signal }));
    },
  });
  const count = dryRun.data === undefined ? 0 : obstaclesOf(dryRun.data).reached;
  const browsers = compose.browsers(count, format.number(count));
  const isNow = written.when === "now";
  // Without anybody, or before they are counted, it goes to no number.
  const [plain, counted] = isNow
    ? [compose.sendNow, compose.confirmSend(browsers)]
    : [compose.schedule, compose.confirmSchedule(browsers)];
  const confirmWords = count === 0 ? plain : counted;
  return (
    <Dialog
      isOpen={request !== null}
      onClose={onClose}
      title={compose.review}
      size="lg"
      isFinal={isSending}
    >
      <Stack>
        <Preview name="chrome-android" colors={colors} written={written} />
        {request !== null && (
          <ReviewFacts request={request} reach={dryRun.data} isCounting={dryRun.isFetching} />
        )}
        {request !== null && <DeliveryHeld notice={{ request }} />}
        <Problem
          error={dryRun.error}
          {...(isAboutReplaced(dryRun.error) ? {} : { onRetry: () => void dryRun.refetch() })}
        />
        <Problem error={error} />
        <Group justify="flex-end" className={classes.ways ?? ""}>
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {compose.backToEdit}
          </Button>
          <Button disabled={dryRun.data === undefined} loading={isSending} onClick={onSend}>
            {confirmWords}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
