import { encode } from "uqr";

/** Light modules on each side, without which cameras do not find the code (ISO/IEC 18004, 6.3.8). */
const quietModules = 4;

/** The dark modules of the QR code of a text, row by row, its quiet zone included. */
export function qrModules(text: string): boolean[][] {
  return encode(text, { ecc: "M", border: quietModules }).data;
}
