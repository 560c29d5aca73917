import { expect, it } from "vitest";
import { placement } from "./placement.ts";

const tooltip = { width: 160, height: 30 };
const page = { clientWidth: 400, clientHeight: 300 };
const buttonAt = (left: number, top: number) => ({ left, top, bottom: top + 44, width: 44 });

it.each([
  ["below and centred", buttonAt(178, 0), { left: 120, top: 44 }],
  ["inside the right edge", buttonAt(356, 0), { left: 232, top: 44 }],
  ["inside the left edge", buttonAt(0, 0), { left: 8, top: 44 }],
  ["above, at the window's foot", buttonAt(178, 256), { left: 120, top: 226 }],
])("goes %s", (_where, anchor, expected) => {
  expect(placement(anchor, tooltip, page)).toEqual(expected);
});

it("stays inside a window that is too small for it", () => {
  const tiny = { clientWidth: 100, clientHeight: 60 };
  expect(placement(buttonAt(28, 8), tooltip, tiny)).toEqual({ left: 8, top: 0 });
});
