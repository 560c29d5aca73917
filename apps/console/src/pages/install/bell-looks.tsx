import "@sineta/react/bell.css";
import { Button } from "@mantine/core";
import type { Messaging } from "@sineta/client";
import { NotificationBell } from "@sineta/react";
import { useId, type CSSProperties } from "react";
import { useTexts } from "../../texts/use-texts.tsx";
import { contrast } from "./contrast.ts";
import classes from "./install-page.module.css";
import { bellColors, type BellColors } from "./snippet.ts";

/** Messaging that reaches nobody: the bell that is looked at stays as it is. */
function played(token: string | null): Messaging {
  return {
    vapidKey: "preview",
    getToken: () => Promise.resolve(token),
    deleteToken: () => Promise.resolve(false),
    onMessage: () => () => undefined,
  };
}

const bells = { off: played(null), on: played("preview") };
const backgrounds = { light: "#ffffff", dark: "#16181d" } as const;
/** WCAG 2.2, 1.4.11: what a control is known by. */
const leastContrast = 3;

/** The bell itself, off and on, on a light and on a dark page, in colours to choose. */
export function BellLooks({
  colors,
  onChange,
}: {
  colors: BellColors;
  onChange: (colors: BellColors) => void;
}) {
  const { install } = useTexts();
  const chosen = { ...bellColors, ...colors };
  const style: CSSProperties & Record<`--${string}`, string> = {
    "--sineta-bell-off": chosen.off,
    "--sineta-bell-on": chosen.on,
    "--sineta-bell-focus": chosen.focus,
  };
  const pale = (["off", "on"] as const).flatMap((name) =>
    (["light", "dark"] as const)
      .filter((page) => contrast(chosen[name], backgrounds[page]) < leastContrast)
      .map((page) => install.pale(install.colors[name], install.pages[page])),
  );
  return (
    <>
      <div className={classes.previews} style={style}>
        {(["light", "dark"] as const).map((page) => (
          <figure
            key={page}
            className={classes.preview}
            style={{ background: backgrounds[page] }}
            data-page={page}
          >
            <div className={classes.bells}>
              <NotificationBell messaging={bells.off} />
              <NotificationBell messaging={bells.on} />
            </div>
            <figcaption>{install.pages[page]}</figcaption>
          </figure>
        ))}
      </div>
      <div className={classes.colors}>
        {(["off", "on", "focus"] as const).map((name) => (
          <ColorField
            key={name}
            label={install.colors[name]}
            value={chosen[name]}
            onChange={(color) => onChange({ ...colors, [name]: color })}
          />
        ))}
        <Button
          variant="default"
          disabled={Object.keys(colors).length === 0}
          onClick={() => onChange({})}
        >
          {install.ownColors}
        </Button>
      </div>
      <ul className={classes.pale} aria-live="polite">
        {pale.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}

function ColorField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (color: string) => void;
}) {
  const id = useId();
  return (
    <div className={classes.color}>
      <input
        id={id}
        type="color"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
