/** Later ones say that they are the earlier ones, too: Edge and Opera call themselves Chrome, and Chrome Safari. */
const browsers = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;
const systems = [
  ["Windows", "Windows"],
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Mac OS", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** The words around the names. */
export type DeviceWords = {
  unknownDevice: string;
  device(browser: string, system: string): string;
};

/** For people, from what a browser calls itself (its User-Agent); nothing is decided by it. */
export function deviceName(userAgent: string, words: DeviceWords): string {
  const find = (names: readonly (readonly [mark: string, name: string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined) return userAgent.slice(0, 60) || words.unknownDevice;
  return system === undefined ? browser : words.device(browser, system);
}
