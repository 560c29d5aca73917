import classes from "./qr-code.module.css";
import { qrModules } from "./qr-modules.ts";

/** Dark on light in either colour scheme: many cameras read no other way round. @param label what it is, for who does not see it */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = qrModules(text);
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  return (
    <svg
      className={classes.code}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An img would have the secret in its address.
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}
