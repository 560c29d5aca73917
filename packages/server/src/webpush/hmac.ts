import { hmac as nodeHmac, type Hmac } from "../secrets/hmac.ts";
import { opensslHmac } from "./openssl/hmac.ts";

let fastest: Hmac | undefined;

/** As fast as this Node can, which is found out at the first call: few threads ever seal. */
export const fastHmac: Hmac = (key, message, byteCount) => {
  fastest ??= opensslHmac(nodeHmac) ?? nodeHmac;
  return fastest(key, message, byteCount);
};
