import classes from "./charts.module.css";

/** A share as a bar within the whole. It is hidden from screen readers: the figure stands beside it. @param share from 0 to 1 */
export function Track({ share }: { share: number }) {
  return (
    <span className={classes.track} aria-hidden="true">
      {share > 0 && <span className={classes.fill} style={{ inlineSize: `${100 * share}%` }} />}
    </span>
  );
}
