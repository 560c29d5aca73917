import { createHmac } from "node:crypto";

/**
 * Signs a user token for Sineta: a JWT with HS256.
 * @param {string} userKey what `sineta user-key` prints, as it is: the key is the text
 * @param {object} user
 * @param {string} user.id whatever the site calls its user, at most 128 characters
 * @param {string[]} user.topics the kept topics that the user's browsers are in: these and no others
 * @param {number} nowMs
 */
export function signUserToken(userKey, { id, topics }, nowMs) {
  // The page uses it at once, so it need not live long; Sineta takes 24 hours at most.
  const exp = Math.floor(nowMs / 1000) + 5 * 60;
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: id, exp, topics })}`;
  return `${text}.${createHmac("sha256", userKey).update(text).digest("base64url")}`;
}

/** @param {object} value */
function part(value) {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
