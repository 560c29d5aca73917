import { useEffect, useRef, type RefObject } from "react";

/**
 * Tells the page's styles in `--bar` how high an element is. On a phone it covers the page's foot. A field that has the focus
 * must be above it.
 */
export function useBarHeight(): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      const [box] = entry?.borderBoxSize ?? [];
      if (box !== undefined) style.setProperty("--bar", `${Math.ceil(box.blockSize)}px`);
    });
    if (bar.current !== null) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--bar");
    };
  }, []);
  return bar;
}
