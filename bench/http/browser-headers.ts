/** What browsers send along with a script's request to its own site, besides what the script says: five that are common. */
const languages = [
  "pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7",
  "pt-BR",
  "de-DE,de;q=0.9",
  "en-US,en;q=0.5",
];

const chromium = (platform: string, mobile: "?0" | "?1", brand: string) => ({
  "sec-ch-ua-platform": `"${platform}"`,
  "sec-ch-ua": `"${brand}";v="141", "Not?A_Brand";v="8", "Chromium";v="141"`,
  "sec-ch-ua-mobile": mobile,
});
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

const browsers: Record<string, string>[] = [
  {
    ...chromium("Windows", "?0", "Google Chrome"),
    "User-Agent": `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36`,
  },
  {
    ...chromium("Android", "?1", "Google Chrome"),
    "User-Agent": `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`,
  },
  {
    ...chromium("Windows", "?0", "Microsoft Edge"),
    "User-Agent": `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
  },
  { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0" },
  {
    "User-Agent":
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
  },
];

/** @param index of the request: browsers and languages take turns. @param site where the page is */
export function browserHeaders(index: number, site: string): Record<string, string> {
  return {
    ...browsers[index % browsers.length],
    Accept: "*/*",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": languages[index % languages.length] ?? "",
    Referer: site,
    "Sec-Fetch-Dest": "empty",
    "Sec-Fetch-Mode": "cors",
    "Sec-Fetch-Site": "same-origin",
  };
}
