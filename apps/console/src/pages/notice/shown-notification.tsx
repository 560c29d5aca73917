import type { NotificationContent } from "@sineta/protocol";
import { Picture } from "../../parts/picture.tsx";
import { useSite } from "../../project/use-site.ts";
import classes from "./shown-notification.module.css";

/** The notification much as a browser shows it, with the name of the page's site. */
export function ShownNotification({ notification }: { notification: NotificationContent }) {
  const { title, body, icon, image, actions = [], dir = "auto" } = notification;
  const site = useSite();
  return (
    <figure className={classes.shown}>
      <div className={classes.shownNotice}>
        <p className={classes.shownSite}>{site && new URL(site).host}</p>
        <div className={classes.shownWords}>
          {icon !== undefined && <Picture className={classes.shownIcon} text={icon} />}
          <div>
            <p className={classes.shownTitle} dir={dir}>
              {title}
            </p>
            {body !== undefined && (
              <p className={classes.shownBody} dir={dir}>
                {body}
              </p>
            )}
          </div>
        </div>
        {image !== undefined && <Picture className={classes.shownImage} text={image} />}
        {actions.length > 0 && (
          <ul className={classes.shownActions} dir={dir}>
            {actions.map(({ action, title: name }) => (
              <li key={action} dir={dir}>
                {name}
              </li>
            ))}
          </ul>
        )}
      </div>
    </figure>
  );
}
