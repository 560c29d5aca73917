import { useTexts } from "../../../texts/use-texts.tsx";
import { useSite } from "../../../project/use-site.ts";
import { looks, shownBy, type LookName, type ShownNotice, type System } from "../logic/looks.ts";
import type { Written } from "../logic/written.ts";
import { OnAndroid } from "./on-android.tsx";
import { OnMacos } from "./on-macos.tsx";
import { OnWindows } from "./on-windows.tsx";
import classes from "./previews.module.css";

/** What a system draws. */
export type Drawn = Omit<ShownNotice, "title" | "body"> & {
  name: LookName;
  /** Of the page that the browser is registered on. */
  host: string;
  title: string;
  body: string;
  dir: "auto" | "ltr" | "rtl";
};

const drawings: Readonly<Record<System, (drawn: Drawn) => React.JSX.Element>> = {
  android: OnAndroid,
  windows: OnWindows,
  macos: OnMacos,
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
  const site = useSite();
  const look = looks[name];
  const { title, body, actions, icon, image } = shownBy(look, written);
  const Drawing = drawings[look.system];
  return (
    <figure
      className={classes.ground}
      data-colors={colors}
      data-system={look.system}
      aria-label={compose.previewOf(compose.lookOn(look.browser, compose.systems[look.system]))}
    >
      <Drawing
        name={name}
        host={site === undefined ? "" : new URL(site).host}
        title={title.text === "" ? compose.emptyTitle : title.text}
        body={body.text}
        dir={written.carried.notification.dir ?? "auto"}
        icon={icon}
        image={image}
        actions={actions}
      />
    </figure>
  );
}
