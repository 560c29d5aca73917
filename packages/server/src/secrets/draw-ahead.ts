/**
 * Random bytes, drawn many at a time: a call into the system's generator costs as much as two hashes, whatever it draws. No byte is given
 * twice, and what was given stays as it is.
 * @param atOnce how many are drawn
 */
export function drawAhead(
  randomBytes: (count: number) => Uint8Array,
  atOnce = 8192,
): (count: number) => Uint8Array {
  let drawn: Uint8Array = new Uint8Array();
  let given = 0;
  return (count) => {
    if (given + count > drawn.length) {
      drawn = randomBytes(Math.max(atOnce, count));
      given = 0;
    }
    given += count;
    return drawn.subarray(given - count, given);
  };
}
