import { type ReactElement, useState } from "react";
import type { WithServer } from "@sineta/client";
import { mdiBell, mdiBellOutline } from "@mdi/js";
import { type NotificationsOptions, useNotifications } from "./use-notifications.ts";
import { type BellLabels, languageOf, texts } from "./texts.ts";
import { useTooltip } from "./tooltip.ts";

export type NotificationBellProps = NotificationsOptions & {
  /**
   * What a click does while notifications are on: `"ask"` asks for a token again, `"disable"` turns them off. Default:
   * `"ask"`.
   */
  whenOn?: "ask" | "disable" | undefined;
  /**
   * Language of the labels, such as `"en"` or `"en-US"` (BCP 47). The bell speaks Portuguese, English and Spanish, and
   * Portuguese for any other. Default: `"pt-BR"`.
   */
  language?: string | undefined;
  /** Labels of your own, in place of those of `language`. */
  labels?: Partial<BellLabels> | undefined;
};

/**
 * The bell: one icon button that asks for a push token, by itself on load and again on every click. Grey while
 * notifications are off, coloured once they are on. Renders nothing where push cannot be offered.
 *
 * Its styles are a file of their own: `@sineta/react/bell.css`.
 */
export function NotificationBell<Server extends string>({
  whenOn = "ask",
  language = "pt-BR",
  labels,
  ...options
}: NotificationBellProps & WithServer<Server>): ReactElement | null {
  const { available, enabled, busy, ask, disable } = useNotifications<string>(options);
  // A bell that is on from the start does not ring.
  const [wasOff, setWasOff] = useState(!enabled);
  if (!enabled && !wasOff) setWasOff(true);
  const text = enabled ? "disable" : "enable";
  const given: unknown = labels?.[text];
  const own = typeof given === "string" && given;
  const spoken = languageOf(language);
  const label = own || texts[spoken][text];
  const { anchor, tooltip, holder } = useTooltip<HTMLButtonElement>();

  if (!available) return null;
  return (
    <span className="sineta-bell" lang={own ? undefined : spoken} {...holder}>
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
