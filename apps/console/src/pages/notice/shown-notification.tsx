import type { NotificationContent } from "@sineta/protocol";
import { useState } from "react";
import { shownAddress } from "../../parts/shown-address.ts";
import classes from "./shown-notification.module.css";

/** The notification much as a browser shows it. */
export function ShownNotification({ notification }: { notification: NotificationContent }) {
  const { title, body, icon, image, actions = [], dir = "auto" } = notification;
  return (
    <figure className={classes.shown}>
      <div className={classes.shownNotice}>
        <div className={classes.shownWords}>
          {icon !== undefined && <Picture className={classes.shownIcon} src={icon} />}
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
        {image !== undefined && <Picture className={classes.shownImage} src={image} />}
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

/** Nothing where it cannot be loaded, as browsers do. */
function Picture({ src, className }: { src: string; className: string | undefined }) {
  const [isBroken, setBroken] = useState(false);
  const address = shownAddress(src, window.location.origin);
  if (isBroken || address === null) return null;
  return <img className={className} src={address} alt="" onError={() => setBroken(true)} />;
}
