import { Alert } from "@mantine/core";
import { mdiPauseCircleOutline } from "@mdi/js";
import type { MessageProgress } from "@sineta/protocol";
import { Icon } from "../../parts/icon.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { ReasonText } from "./reason-text.tsx";
import { useNow } from "../../parts/use-now.ts";

/** Push services that are left alone for now, each with why and until when. */
export function Held({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const format = useFormat();
  // Its time may have come: then it is under way.
  const nowMs = useNow(1_000);
  const soon = (moment: string) => format.relative(Math.max(Date.parse(moment), nowMs), nowMs);
  return notice.held.map(({ pushOrigin, pushService, reason, detail, since, nextProbeAt }) => (
    <Alert
      key={`${pushOrigin} ${since}`}
      color="yellow"
      icon={<Icon path={mdiPauseCircleOutline} />}
      title={notices.held(notices.pushServices[pushService])}
    >
      <p>{notices.heldSince(format.dateTime(since), soon(nextProbeAt))}</p>
      <ReasonText reason={reason} detail={detail} />
    </Alert>
  ));
}
