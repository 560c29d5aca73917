import { Accordion, NumberInput, Select, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { limits } from "@sineta/protocol/limits";
import { Card } from "../../../parts/card.tsx";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { urgencies, withoutPicture } from "../logic/written.ts";
import type { Fields } from "./fields.ts";
import { PictureField } from "./picture-field.tsx";

const ttlChoices = ["0", "3600", "86400", "604800", "2419200", "exact"] as const;

/** For how long and how urgently it is delivered, and what few need. */
export function DeliveryFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const format = useFormat();
  const chosen = ttlChoices.find((choice) => choice === String(written.ttlSeconds));
  const [isExact, setExact] = useState(chosen === undefined);
  const [isOpen, setOpen] = useState(false);
  // Opens the section when one of its fields has an error.
  const isFlawed = ["notification.tag", "collapseKey", "notification.badge"].some(
    (path) => flaw(path) !== undefined,
  );
  return (
    <Card title={compose.delivery}>
      <Select
        label={compose.ttl}
        description={compose.ttlHint}
        data={ttlChoices.map((value) => ({ value, label: compose.ttlChoices[value] }))}
        value={isExact ? "exact" : (chosen ?? "exact")}
        allowDeselect={false}
        onChange={(value) => {
          setExact(value === "exact");
          if (value !== "exact" && value !== null) change({ ttlSeconds: Number(value) });
        }}
      />
      {isExact && (
        <NumberInput
          label={compose.ttlExact}
          description={compose.ttlInWords(format.span(written.ttlSeconds))}
          min={0}
          max={limits.ttlSeconds}
          clampBehavior="none"
          allowDecimal={false}
          value={written.ttlSeconds}
          error={flaw("ttlSeconds")}
          onChange={(value) => change({ ttlSeconds: typeof value === "number" ? value : -1 })}
          hideControls
        />
      )}
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
      <Accordion
        variant="contained"
        order={3}
        value={isOpen || isFlawed ? "more" : null}
        onChange={(value) => setOpen(value !== null)}
      >
        <Accordion.Item value="more">
          <Accordion.Control>{compose.more}</Accordion.Control>
          <Accordion.Panel>
            <MoreFields written={written} change={change} flaw={flaw} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Card>
  );
}

function MoreFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const switches = ["requireInteraction", "silent", "renotify"] as const;
  return (
    <div style={{ display: "grid", gap: "1rem" }}>
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
      />
    </div>
  );
}
