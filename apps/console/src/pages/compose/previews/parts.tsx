import { mdiAppleSafari, mdiFirefox, mdiGoogleChrome } from "@mdi/js";
import { Icon } from "../../../parts/icon.tsx";
import type { LookName } from "../logic/looks.ts";
import type { Drawn } from "./preview.tsx";
import classes from "./previews.module.css";

const marks: Readonly<Record<LookName, string>> = {
  "chrome-android": mdiGoogleChrome,
  "chrome-windows": mdiGoogleChrome,
  "chrome-macos": mdiGoogleChrome,
  "firefox-android": mdiFirefox,
  "firefox-windows": mdiFirefox,
  "firefox-macos": mdiFirefox,
  "safari-macos": mdiAppleSafari,
};

/** The browser's own mark. */
export function Mark({ name, size }: { name: LookName; size: number }) {
  return (
    <span className={classes.mark} data-look={name}>
      <Icon path={marks[name]} size={size} />
    </span>
  );
}

export function Title({ title, dir }: Pick<Drawn, "title" | "dir">) {
  return (
    <p className={classes.title} dir={dir}>
      {title}
    </p>
  );
}

export function Body({ body, dir }: Pick<Drawn, "body" | "dir">) {
  if (body === "") return null;
  return (
    <p className={classes.body} dir={dir}>
      {body}
    </p>
  );
}
