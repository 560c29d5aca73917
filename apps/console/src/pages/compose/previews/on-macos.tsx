import { mdiBellOutline, mdiChevronDown } from "@mdi/js";
import { Icon } from "../../../parts/icon.tsx";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Picture } from "../../../parts/picture.tsx";
import { Body, Mark, Title } from "./parts.tsx";
import type { Drawn } from "./preview.tsx";
import classes from "./previews.module.css";

/** The browser in front, in Safari the site; the site below the title; the icon at the end; buttons in a menu. */
export function OnMacos({ name, host, title, body, dir, icon, actions }: Drawn) {
  const { compose } = useTexts();
  const isSafari = name === "safari-macos";
  return (
    <>
      <div className={classes.notice}>
        <div className={classes.beside}>
          {isSafari ? (
            <span className={classes.letter}>
              <Icon path={mdiBellOutline} size={22} />
            </span>
          ) : (
            <Mark name={name} size={36} />
          )}
          <div className={classes.words}>
            <div className={classes.titleLine}>
              <Title title={title} dir={dir} />
              <span className={classes.site}>{compose.previewNow}</span>
            </div>
            <p className={classes.subtitle}>{name === "firefox-macos" ? `via ${host}` : host}</p>
            <Body body={body} dir={dir} />
          </div>
          {icon !== null && <Picture className={classes.icon} text={icon} />}
        </div>
      </div>
      {actions.length > 0 && (
        <div className={classes.menu}>
          <span className={classes.menuButton}>
            {compose.previewOptions}
            <Icon path={mdiChevronDown} size={14} />
          </span>
          {actions.map((each) => (
            <span key={each.action} dir={dir}>
              {each.title}
            </span>
          ))}
        </div>
      )}
    </>
  );
}
