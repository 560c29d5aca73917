import { checkVapid } from "../push-service/vapid.ts";

const mostKept = 1000;
const longestLifeSeconds = 24 * 60 * 60;

/**
 * `checkVapid` for those who send one token thousands of times: what was found good is not verified again, only its time is
 * looked at. Everything else about a token stays as it is.
 */
export function createVapidMemory(): typeof checkVapid {
  const known = new Map<string, Extract<ReturnType<typeof checkVapid>, { vapid: object }>>();
  return (authorization, expected) => {
    const name = `${expected.origin} ${expected.applicationServerKey} ${authorization ?? ""}`;
    const found = known.get(name);
    const nowSeconds = expected.nowMs / 1000;
    if (found !== undefined) {
      const { exp } = found.vapid.claims;
      if (exp > nowSeconds && exp <= nowSeconds + longestLifeSeconds) return found;
    }
    const checked = checkVapid(authorization, expected);
    if ("vapid" in checked) {
      known.set(name, checked);
      const [oldest] = known.keys();
      if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
    }
    return checked;
  };
}
