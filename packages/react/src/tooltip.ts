import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Room between the tooltip and the window's edge, and its anchor, in CSS pixels. */
const marginPx = 8;
/** How long the pointer may take on its way from the anchor to the tooltip (WCAG 1.4.13, hoverable). */
const leaveMs = 150;

type TooltipParts<Anchor> = {
  anchor: RefObject<Anchor | null>;
  tooltip: RefObject<HTMLSpanElement | null>;
  /** For the element that holds anchor and tooltip. */
  holder: {
    onPointerEnter: () => void;
    onPointerLeave: () => void;
    onFocus: (event: { target: Element }) => void;
    onBlur: () => void;
  };
};

/**
 * Shows a tooltip on hover and on keyboard focus; hides it on Escape, on blur and on leaving. It lies in the top
 * layer, so that no container cuts it off, and never leaves the window.
 */
export function useTooltip<Anchor extends HTMLElement>(): TooltipParts<Anchor> {
  const anchor = useRef<Anchor>(null);
  const tooltip = useRef<HTMLSpanElement>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isOpen, setOpen] = useState(false);

  const show = useCallback(() => {
    clearTimeout(leaving.current);
    setOpen(true);
  }, []);
  const hide = useCallback(() => {
    clearTimeout(leaving.current);
    setOpen(false);
  }, []);

  useEffect(() => {
    const element = tooltip.current;
    if (!isOpen || !element || !anchor.current) return undefined;
    element.showPopover?.();
    const place = () => anchor.current && placeBelow(element, anchor.current);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") hide();
    };
    place();
    // Its text changes with the state, and with it the width.
    const sizes = new ResizeObserver(place);
    sizes.observe(element);
    window.addEventListener("resize", place);
    window.addEventListener("scroll", place, { capture: true, passive: true });
    document.addEventListener("keydown", onKey);
    return () => {
      element.hidePopover?.();
      sizes.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", place, { capture: true });
      document.removeEventListener("keydown", onKey);
    };
  }, [isOpen, hide]);

  useEffect(() => () => clearTimeout(leaving.current), []);

  return {
    anchor,
    tooltip,
    holder: {
      onPointerEnter: show,
      onPointerLeave: () => {
        leaving.current = setTimeout(hide, leaveMs);
      },
      onFocus: (event) => {
        if (event.target.matches(":focus-visible")) show();
      },
      onBlur: hide,
    },
  };
}

/** Below the anchor and centred on it, or above where there is no room; always inside the window. */
function placeBelow(tooltip: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const size = tooltip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const rightmost = clientWidth - size.width - marginPx;
  const left = Math.max(marginPx, Math.min(at.left + (at.width - size.width) / 2, rightmost));
  const fitsBelow = at.bottom + size.height + marginPx <= clientHeight;
  tooltip.style.left = `${left}px`;
  tooltip.style.top = `${fitsBelow ? at.bottom : Math.max(0, at.top - size.height)}px`;
}
