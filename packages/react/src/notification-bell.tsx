import { type ReactElement, useState } from "react";
import { mdiBell, mdiBellOutline } from "@mdi/js";
import { type NotificationsOptions, useNotifications } from "./use-notifications.ts";
import { texts } from "./texts.ts";
import { useTooltip } from "./tooltip.ts";

export type NotificationBellProps = NotificationsOptions & {
  /**
   * What a click does while notifications are on: `"ask"` asks for a token again, `"disable"` turns them off. Default:
   * `"ask"`.
   */
  whenOn?: "ask" | "disable";
};

/**
 * The bell: one icon button that asks for a push token, by itself on load and again on every click. Grey while
 * notifications are off, coloured once they are on. Renders nothing where push cannot be offered.
 *
 * Its styles are a file of their own: `@sineta/react/bell.css`.
 */
export function NotificationBell({
  whenOn = "ask",
  ...options
}: NotificationBellProps): ReactElement | null {
  const { available, enabled, busy, ask, disable } = useNotifications(options);
  // A bell that is on from the start does not ring.
  const [wasOff, setWasOff] = useState(!enabled);
  if (!enabled && !wasOff) setWasOff(true);
  const label = enabled ? texts.disable : texts.enable;
  const { anchor, tooltip, holder } = useTooltip<HTMLButtonElement>();

  if (!available) return null;
  return (
    <span className="sineta-bell" {...holder}>
      <button
        type="button"
        ref={anchor}
        className="sineta-bell-button"
        data-enabled={enabled}
        data-ring={enabled && wasOff}
        aria-label={label}
        aria-busy={busy}
        onClick={enabled && whenOn === "disable" ? disable : ask}
      >
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
          <path className="sineta-bell-filled" d={mdiBell} />
          <path className="sineta-bell-outlined" d={mdiBellOutline} />
        </svg>
      </button>
      <span ref={tooltip} role="tooltip" popover="manual" className="sineta-bell-tooltip">
        {label}
      </span>
    </span>
  );
}
