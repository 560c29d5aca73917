import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { placement } from "./placement.ts";

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
    const place = () => {
      if (!anchor.current) return;
      const { left, top } = placement(
        anchor.current.getBoundingClientRect(),
        element.getBoundingClientRect(),
        document.documentElement,
      );
      element.style.left = `${left}px`;
      element.style.top = `${top}px`;
    };
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
