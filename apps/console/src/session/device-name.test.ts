import { expect, test } from "vitest";
import { session } from "../texts/pt/session.ts";
import { deviceName } from "./device-name.ts";

const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.for([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/150.0.0.0 Safari/537.36`,
    "Chrome em Windows",
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/150.0.0.0 Safari/537.36 Edg/150.0`,
    "Edge em Windows",
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/150.0.0.0 Mobile Safari/537.36`,
    "Chrome em Android",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox em Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari em iPhone",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
    "Safari em macOS",
  ],
  ["curl/8.9.1", "curl/8.9.1"],
  ["", "Navegador desconhecido"],
])("%s is called %s", ([userAgent = "", name]) => {
  expect(deviceName(userAgent, session)).toBe(name);
});
