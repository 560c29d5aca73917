import { mdiClose, mdiDotsHorizontal } from "@mdi/js";
import { Icon } from "../../../parts/icon.tsx";
import { Picture } from "../../../parts/picture.tsx";
import { Body, Mark, Title } from "./parts.tsx";
import type { Drawn } from "./preview.tsx";
import classes from "./previews.module.css";

/** Windows 11: the browser above, the picture across, the icon in front, the site below the text, buttons that share a row. */
export function OnWindows({ name, host, title, body, dir, icon, image, actions }: Drawn) {
  const isChrome = name === "chrome-windows";
  return (
    <div className={classes.notice}>
      <div className={classes.source}>
        <Mark name={name} size={16} />
        <span className={classes.cut}>{isChrome ? "Google Chrome" : "Firefox"}</span>
        <span className={classes.corner}>
          <Icon path={mdiDotsHorizontal} size={16} />
          <Icon path={mdiClose} size={16} />
        </span>
      </div>
      {image !== null && <Picture className={classes.image} text={image} />}
      <div className={classes.beside}>
        {icon !== null && <Picture className={classes.icon} text={icon} />}
        <div className={classes.words}>
          <Title title={title} dir={dir} />
          <Body body={body} dir={dir} />
          <p className={classes.site}>{isChrome ? host : `via ${host}`}</p>
        </div>
      </div>
      {actions.length > 0 && (
        <div className={classes.filledActions}>
          {actions.map((each) => (
            <span key={each.action} dir={dir}>
              {each.title}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}
