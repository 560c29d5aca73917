import { NumberInput, Select, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { limits } from "@sineta/protocol/limits";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { urgencies, withoutPicture } from "../logic/written.ts";
import classes from "./fields.module.css";
import type { Fields } from "./fields.ts";
import { PictureField } from "./picture-field.tsx";

/** In seconds: none, an hour, a day, two, a week, and the most. */
const ttlChoices: readonly number[] = [0, 3_600, 86_400, 172_800, 604_800, limits.ttlSeconds];
const switches = ["requireInteraction", "silent", "renotify"] as const;

/** For how long and how urgently it is delivered, and what few need. */
export function DeliveryFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const format = useFormat();
  const [isExact, setExact] = useState(!ttlChoices.includes(written.ttlSeconds));
  const ttlLabel = (seconds: number) => {
    if (seconds === 0) return compose.ttlNow;
    const span = format.span(seconds);
    return seconds === limits.ttlSeconds ? compose.ttlMost(span) : span;
  };
  return (
    <>
      <div className={classes.pair}>
        <Select
          label={compose.ttl}
          data={[
            ...ttlChoices.map((seconds) => ({ value: String(seconds), label: ttlLabel(seconds) })),
            { value: "exact", label: compose.ttlOther },
          ]}
          value={isExact ? "exact" : String(written.ttlSeconds)}
          allowDeselect={false}
          onChange={(value) => {
            setExact(value === "exact");
            if (value !== "exact" && value !== null) change({ ttlSeconds: Number(value) });
          }}
        />
        <Select
          label={compose.urgency}
          data={urgencies.map((value) => ({ value, label: compose.urgencies[value] }))}
          value={written.urgency}
          allowDeselect={false}
          onChange={(value) => {
            const urgency = urgencies.find((each) => each === value);
            if (urgency !== undefined) change({ urgency });
          }}
        />
      </div>
      {isExact && (
        <NumberInput
          label={compose.ttlExact}
          description={compose.ttlInWords(format.span(written.ttlSeconds))}
          min={0}
          max={limits.ttlSeconds}
          clampBehavior="none"
          allowDecimal={false}
          thousandSeparator={format.separators.thousand}
          decimalSeparator={format.separators.decimal}
          value={written.ttlSeconds}
          error={flaw("ttlSeconds")}
          onChange={(value) => change({ ttlSeconds: typeof value === "number" ? value : -1 })}
          hideControls
        />
      )}
      <p className={classes.soft}>{compose.ttlHint}</p>
      {switches.map((name) => (
        <Switch
          key={name}
          label={compose[name]}
          checked={written[name]}
          onChange={(event) => change({ [name]: event.currentTarget.checked })}
        />
      ))}
      <TextInput
        label={compose.tag}
        description={compose.tagHint}
        value={written.tag}
        error={flaw("notification.tag")}
        onChange={(event) => change({ tag: event.currentTarget.value })}
        autoComplete="off"
      />
      <TextInput
        label={compose.collapseKey}
        description={compose.collapseKeyHint}
        value={written.collapseKey}
        error={flaw("collapseKey")}
        onChange={(event) => change({ collapseKey: event.currentTarget.value })}
        autoComplete="off"
      />
      <PictureField
        use="badge"
        label={compose.badge}
        hint={compose.badgeHint}
        value={written.badge}
        flaw={flaw("notification.badge")}
        onChange={(badge) => change({ badge })}
        onRemoved={(address) => change(withoutPicture(written, address))}
        {...(written.badge === "" ? {} : { onLeaveOut: () => change({ badge: "" }) })}
      />
    </>
  );
}
