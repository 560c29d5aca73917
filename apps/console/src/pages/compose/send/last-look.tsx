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
import { LookFacts } from "./look-facts.tsx";
import classes from "./send.module.css";

/** What will happen, before it does: counted once more, for exactly this request. */
export function LastLook({
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
  const look = useQuery({
    queryKey: [project.name, "last-look", JSON.stringify(request)],
    enabled: request !== null,
    gcTime: 0,
    staleTime: 0,
    queryFn: ({ signal }) => {
      const body = { ...request, dryRun: true };
      return bodyOf(ask<DryRun>("POST", `${project.path}/messages`, { body, signal }));
    },
  });
  const count = look.data === undefined ? 0 : obstaclesOf(look.data).reached;
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
      title={compose.lastLook}
      size="lg"
      isFinal={isSending}
    >
      <Stack>
        <Preview name="chrome-android" colors={colors} written={written} />
        {request !== null && (
          <LookFacts request={request} reach={look.data} isCounting={look.isFetching} />
        )}
        {request !== null && <DeliveryHeld notice={{ request }} />}
        <Problem
          error={look.error}
          {...(isAboutReplaced(look.error) ? {} : { onRetry: () => void look.refetch() })}
        />
        <Problem error={error} />
        <Group justify="flex-end" className={classes.ways ?? ""}>
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {compose.backToEdit}
          </Button>
          <Button disabled={look.data === undefined} loading={isSending} onClick={onSend}>
            {confirmWords}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
