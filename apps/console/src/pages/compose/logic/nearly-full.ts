/** Whether more than four fifths are used. From there on an operator reads how much room is left. */
export function isNearlyFull(used: number, most: number): boolean {
  return used > 0.8 * most;
}
