import { SegmentedControl, Tabs, useComputedColorScheme } from "@mantine/core";
import { useState } from "react";
import { Card } from "../../../parts/card.tsx";
import { useTexts } from "../../../texts/use-texts.tsx";
import { lookNames, looks, shownBy } from "../logic/looks.ts";
import type { Written } from "../logic/written.ts";
import { Preview } from "./preview.tsx";
import classes from "./previews.module.css";

/** How browsers will show it, one at a time, and where it is cut. */
export function Previews({ written }: { written: Written }) {
  const { compose } = useTexts();
  const around = useComputedColorScheme("light");
  const [chosen, setChosen] = useState<"light" | "dark" | null>(null);
  const colors = chosen ?? around;
  const cut = (part: "title" | "body") =>
    lookNames.filter((name) => shownBy(looks[name], written)[part].isCut);
  const namesOf = (names: readonly (typeof lookNames)[number][]) =>
    names.map((name) => compose.looks[name]).join(", ");
  const [cutTitles, cutBodies] = [cut("title"), cut("body")];
  return (
    <Card
      title={compose.previews}
      actions={
        <SegmentedControl
          aria-label={compose.lookColors}
          value={colors}
          onChange={(value) => setChosen(value === "dark" ? "dark" : "light")}
          data={[
            { value: "light", label: compose.lookLight },
            { value: "dark", label: compose.lookDark },
          ]}
        />
      }
    >
      <Tabs defaultValue={lookNames[0]} keepMounted={false}>
        <Tabs.List aria-label={compose.previews}>
          {lookNames.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {compose.looks[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {lookNames.map((name) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Preview name={name} colors={colors} written={written} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <div className={classes.cuts} aria-live="polite">
        {cutTitles.length > 0 && <p>{compose.cutTitle(namesOf(cutTitles))}</p>}
        {cutBodies.length > 0 && <p>{compose.cutBody(namesOf(cutBodies))}</p>}
        {cutTitles.length + cutBodies.length === 0 && <p>{compose.cutNowhere}</p>}
        <p>{compose.estimateOnly}</p>
      </div>
    </Card>
  );
}
