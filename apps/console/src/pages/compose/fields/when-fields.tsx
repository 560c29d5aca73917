import { Radio, TextInput } from "@mantine/core";
import { Card } from "../../../parts/card.tsx";
import { useTexts } from "../../../texts/use-texts.tsx";
import { whenKinds } from "../logic/written.ts";
import classes from "./fields.module.css";
import type { Fields } from "./fields.ts";

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When it goes out. */
export function WhenFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  return (
    <Card title={compose.when}>
      <Radio.Group
        aria-label={compose.when}
        value={written.when}
        onChange={(value) => {
          const when = whenKinds.find((kind) => kind === value);
          if (when !== undefined) change({ when });
        }}
      >
        <div className={classes.radios}>
          {whenKinds.map((kind) => (
            <Radio key={kind} value={kind} label={compose.whenKinds[kind]} />
          ))}
        </div>
      </Radio.Group>
      {written.when !== "now" && (
        <TextInput
          type="datetime-local"
          label={compose.at}
          description={written.when === "at" ? compose.atHint(ownZone) : compose.localHint}
          value={written.at}
          error={flaw("scheduleAt") ?? flaw("scheduleAtLocal")}
          onChange={(event) => change({ at: event.currentTarget.value })}
        />
      )}
    </Card>
  );
}
