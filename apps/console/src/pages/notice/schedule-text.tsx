import type { MessageSummary } from "@sineta/protocol";
import { Sentence } from "../../parts/sentence.tsx";
import { When } from "../../parts/when.tsx";
import { useLanguage, useTexts } from "../../texts/use-texts.tsx";

/** When a notice goes out, with the time zone that this is said in; without one where it is each person's own. */
export function ScheduleText({
  notice: { scheduleAt, scheduleAtLocal },
}: {
  notice: Pick<MessageSummary, "scheduleAt" | "scheduleAtLocal">;
}) {
  const { notices } = useTexts();
  const { language } = useLanguage();
  if (scheduleAtLocal !== undefined) {
    return (
      <Sentence of={(when) => notices.stateScheduled(when, true)}>
        <When at={scheduleAtLocal} />
      </Sentence>
    );
  }
  const zone = zoneName(language, scheduleAt);
  return (
    <Sentence of={(when) => notices.scheduledFor(when, zone)}>
      <When at={scheduleAt} />
    </Sentence>
  );
}

function zoneName(language: string, moment: string): string {
  const format = new Intl.DateTimeFormat(language, { timeZoneName: "long" });
  const parts = format.formatToParts(new Date(moment));
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
