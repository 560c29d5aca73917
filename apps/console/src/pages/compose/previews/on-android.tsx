import { useTexts } from "../../../texts/use-texts.tsx";
import { looks } from "../logic/looks.ts";
import { Picture, usePicture } from "../../../parts/picture.tsx";
import { Body, Mark, Title } from "./parts.tsx";
import type { Drawn } from "./preview.tsx";
import classes from "./previews.module.css";

/** Opened by a finger: browser, site and time above; the icon at the end; buttons that are words alone. */
export function OnAndroid({ name, host, title, body, dir, icon, image, actions }: Drawn) {
  const { compose } = useTexts();
  const isChrome = name === "chrome-android";
  const { address, isBroken, onError } = usePicture(icon ?? "");
  return (
    <div className={classes.notice}>
      <div className={classes.source}>
        <Mark name={name} size={16} />
        <span className={classes.cut}>
          {looks[name].browser} · {host}
        </span>
        <span>· {compose.previewNow}</span>
      </div>
      <div className={classes.beside}>
        <div className={classes.words}>
          <Title title={title} dir={dir} />
          <Body body={body} dir={dir} />
        </div>
        {address !== null && !isBroken ? (
          <img className={classes.icon} src={address} alt="" onError={onError} />
        ) : (
          // Without an icon Chrome makes one of the site's first letter.
          isChrome && <span className={classes.letter}>{host.slice(0, 1)}</span>
        )}
      </div>
      {image !== null && <Picture className={classes.image} text={image} />}
      <div className={classes.plainActions}>
        {actions.map((each) => (
          <span key={each.action} dir={dir}>
            {each.title}
          </span>
        ))}
        {isChrome && <span>{compose.unsubscribe}</span>}
      </div>
    </div>
  );
}
