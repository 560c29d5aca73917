/** Whether the long form runs (`npm run soak`), or the short one of `npm test`. */
export const isSoak = process.env["SINETA_SOAK"] === "1";

/** The first in the short form, the second in the long one. */
export function scaled<Value>(short: Value, long: Value): Value {
  return isSoak ? long : short;
}
