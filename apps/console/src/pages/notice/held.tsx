import { Alert } from "@mantine/core";
import { mdiPauseCircleOutline } from "@mdi/js";
import type { MessageProgress } from "@sineta/protocol";
import { Icon } from "../../parts/icon.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { Relative, When } from "../../parts/when.tsx";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";
import { ReasonText } from "./reason-text.tsx";
import { useNow } from "../../parts/use-now.ts";
import { useIsHeld } from "./state-badge.tsx";

/** Push services that are left alone for now, each with why and until when. */
export function Held({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  // Its time may have come: then it is under way.
  const nowMs = useNow(1_000);
  const isHeld = useIsHeld(notice.state);
  // While delivery is held the server tries no push service.
  if (isHeld === true) return null;
  return notice.held.map(({ pushOrigin, pushService, reason, detail, since, nextProbeAt }) => (
    <Alert
      key={`${pushOrigin} ${since}`}
      color="yellow"
      icon={<Icon path={mdiPauseCircleOutline} />}
      title={notices.held(notices.pushServices[pushService])}
    >
      <p className={classes.since}>
        <Sentence of={(when, next) => notices.heldSince(when, next)}>
          <When at={since} />
          <Relative at={nextProbeAt} nowMs={nowMs} isAhead />
        </Sentence>
      </p>
      <ReasonText reason={reason} detail={detail} />
    </Alert>
  ));
}
