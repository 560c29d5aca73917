import { ActionIcon, SegmentedControl, useComputedColorScheme } from "@mantine/core";
import { mdiWeatherNight, mdiWhiteBalanceSunny } from "@mdi/js";
import { useState } from "react";
import { Icon } from "../../../parts/icon.tsx";
import { useTexts } from "../../../texts/use-texts.tsx";
import { looks, looksOf, systems, type System } from "../logic/looks.ts";
import type { Written } from "../logic/written.ts";
import { Preview } from "./preview.tsx";
import classes from "./previews.module.css";

/** The notification as a browser shows it, by system. */
export function Previews({ written }: { written: Written }) {
  const { compose } = useTexts();
  const around = useComputedColorScheme("light");
  const [chosen, setChosen] = useState<"light" | "dark" | null>(null);
  const colors = chosen ?? around;
  const [system, setSystem] = useState<System>("android");
  const [browser, setBrowser] = useState(looks["chrome-android"].browser);
  const names = looksOf[system];
  const name = names.find((each) => looks[each].browser === browser) ?? names[0];
  return (
    <>
      <div className={classes.header}>
        <h2 className={classes.heading}>{compose.previews}</h2>
        <SegmentedControl
          aria-label={compose.lookSystem}
          size="sm"
          value={system}
          onChange={(value) => setSystem(systems.find((each) => each === value) ?? system)}
          data={systems.map((value) => ({ value, label: compose.systems[value] }))}
        />
      </div>
      <Preview name={name} colors={colors} written={written} />
      <div className={classes.choices}>
        <SegmentedControl
          aria-label={compose.lookBrowser}
          size="xs"
          value={looks[name].browser}
          onChange={setBrowser}
          data={names.map((each) => looks[each].browser)}
        />
        <ActionIcon
          variant="subtle"
          size="lg"
          className={classes.colors ?? ""}
          aria-label={colors === "light" ? compose.lookDark : compose.lookLight}
          title={colors === "light" ? compose.lookDark : compose.lookLight}
          onClick={() => setChosen(colors === "light" ? "dark" : "light")}
        >
          <Icon path={colors === "light" ? mdiWeatherNight : mdiWhiteBalanceSunny} size={18} />
        </ActionIcon>
      </div>
    </>
  );
}
