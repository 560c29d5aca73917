type Box = { left: number; top: number; bottom: number; width: number };
type Size = { width: number; height: number };
type Viewport = { clientWidth: number; clientHeight: number };

/** Room between the tooltip and the window's edge, in CSS pixels. */
const marginPx = 8;

/**
 * Where a tooltip goes: below its anchor and centred on it, or above where there is no room; always inside the
 * window. It touches the anchor, so that the pointer can pass over to it. CSS pixels, from the window's corner.
 */
export function placement(
  anchor: Box,
  tooltip: Size,
  { clientWidth, clientHeight }: Viewport,
): { left: number; top: number } {
  const rightmost = clientWidth - tooltip.width - marginPx;
  const centred = anchor.left + (anchor.width - tooltip.width) / 2;
  const fitsBelow = anchor.bottom + tooltip.height + marginPx <= clientHeight;
  return {
    left: Math.max(marginPx, Math.min(centred, rightmost)),
    top: fitsBelow ? anchor.bottom : Math.max(0, anchor.top - tooltip.height),
  };
}
