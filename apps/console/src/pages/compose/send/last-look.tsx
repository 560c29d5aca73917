import { Button, Group, Stack } from "@mantine/core";
import type { DryRun, MessageRequest } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { bodyOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { Problem } from "../../../parts/problem.tsx";
import { useProject } from "../../../session/operator.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import type { Written } from "../logic/written.ts";
import { Preview } from "../previews/preview.tsx";
import { Reach } from "./reach.tsx";
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
  const count = look.data?.registrations ?? 0;
  const browsers = compose.browsers(count, format.number(count));
  const isNow = written.when === "now";
  // Without anybody, or before they are counted, it goes to no number.
  const [plain, counted] = isNow
    ? [compose.sendNow, compose.confirmSend(browsers)]
    : [compose.schedule, compose.confirmSchedule(browsers)];
  const confirmWords = count === 0 ? plain : counted;
  return (
    <Dialog isOpen={request !== null} onClose={onClose} title={compose.lastLook} size="lg">
      <Stack>
        <Preview name="chrome-android" colors="light" written={written} />
        <dl className={classes.facts}>
          <dt>{compose.lastLookWho}</dt>
          <dd>
            <AudienceText request={request} />
          </dd>
          <dt>{compose.lastLookWhen}</dt>
          <dd>
            <WhenText request={request} />
          </dd>
          <dt>{compose.lastLookValid}</dt>
          <dd>{format.span(written.ttlSeconds)}</dd>
        </dl>
        <Reach reach={look.data} isCounting={look.isFetching} />
        <Problem error={look.error} onRetry={() => void look.refetch()} />
        <Problem error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
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

function AudienceText({ request }: { request: MessageRequest | null }) {
  const { compose } = useTexts();
  const target = request?.target;
  switch (target?.kind) {
    case undefined:
      return null;
    case "all":
      return compose.audienceKinds.all;
    case "topic":
      return target.topic;
    case "condition":
      return <code>{target.condition}</code>;
    case "user":
      return <bdi>{target.userId}</bdi>;
    case "token":
    case "tokens":
      return compose.audienceKinds.browser;
    default:
      return target satisfies undefined;
  }
}

function WhenText({ request }: { request: MessageRequest | null }) {
  const { compose } = useTexts();
  const format = useFormat();
  if (request?.scheduleAt !== undefined) {
    return compose.lastLookAt(format.dateTime(request.scheduleAt));
  }
  if (request?.scheduleAtLocal !== undefined) {
    return compose.lastLookLocal(format.dateTime(request.scheduleAtLocal));
  }
  return compose.lastLookNow;
}
