import type { PushLab } from "../lab.ts";

/** Does what ends the browser's connection, and waits until the lab has seen it gone. */
export async function leave(
  lab: PushLab,
  browser: string,
  act: () => Promise<void>,
): Promise<void> {
  let left = false;
  const stop = lab.onEvent((event) => {
    if (event.type === "disconnected" && event.browser === browser) left = true;
  });
  const seen = lab.until(() => left);
  await act();
  await seen;
  stop();
}
