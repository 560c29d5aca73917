import { mdiBellOutline, mdiClose, mdiFirefox, mdiGoogleChrome, mdiAppleSafari } from "@mdi/js";
import { Icon } from "../../../parts/icon.tsx";
import { shownAddress } from "../../../parts/shown-address.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { looks, shownBy, type LookName } from "../logic/looks.ts";
import type { Written } from "../logic/written.ts";
import classes from "./previews.module.css";

const browserIcons: Readonly<Record<LookName, string>> = {
  "chrome-windows": mdiGoogleChrome,
  "chrome-macos": mdiGoogleChrome,
  "chrome-android": mdiGoogleChrome,
  firefox: mdiFirefox,
  safari: mdiAppleSafari,
};

/** One notification as one browser shows it: a picture, with nothing to click. */
export function Preview({
  name,
  colors,
  written,
}: {
  name: LookName;
  colors: "light" | "dark";
  written: Pick<Written, "title" | "body" | "icon" | "image" | "actions" | "carried">;
}) {
  const { compose } = useTexts();
  const { title, body, actions, ...pictures } = shownBy(looks[name], written);
  const icon = pictures.icon && shownAddress(pictures.icon, window.location.origin);
  const image = pictures.image && shownAddress(pictures.image, window.location.origin);
  const site = window.location.host;
  const { dir = "auto" } = written.carried.notification;
  return (
    <figure
      className={classes.desktop}
      data-colors={colors}
      data-look={name}
      aria-label={compose.previewOf(compose.looks[name])}
    >
      <div className={classes.notice}>
        <div className={classes.source}>
          <Icon path={browserIcons[name]} size={14} />
          <span>{site}</span>
          <span className={classes.now}>{compose.previewNow}</span>
          {name === "chrome-windows" && <Icon path={mdiClose} size={14} />}
        </div>
        <div className={classes.words}>
          <p className={classes.title} dir={dir}>
            {title.text === "" ? compose.emptyTitle : title.text}
          </p>
          {body.text !== "" && (
            <p className={classes.body} dir={dir}>
              {body.text}
            </p>
          )}
        </div>
        {name === "safari" || icon === null ? (
          <span className={classes.noIcon}>
            <Icon path={mdiBellOutline} size={22} />
          </span>
        ) : (
          <img className={classes.icon} src={icon} alt="" />
        )}
        {image !== null && <img className={classes.image} src={image} alt="" />}
        {actions.length > 0 && (
          <div className={classes.actions}>
            {actions.map((words) => (
              <span key={words} dir={dir}>
                {words}
              </span>
            ))}
          </div>
        )}
      </div>
    </figure>
  );
}
