import { describe, expect, it } from "vitest";
import { isPushAvailable, type Surroundings } from "./availability.ts";

const desktop = {
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0",
  platform: "Linux x86_64",
  maxTouchPoints: 0,
};

function pageAt(url: string, navigator: Partial<Surroundings["navigator"]> = {}, lacking = "") {
  const page = {
    isSecureContext: true,
    location: new URL(url),
    navigator: { ...desktop, serviceWorker: {}, ...navigator },
    PushManager: class {},
    Notification: class {},
  };
  Reflect.deleteProperty(page, lacking);
  Reflect.deleteProperty(page.navigator, lacking);
  return page;
}

describe("isPushAvailable", () => {
  it("holds on a secure https page", () => {
    expect(isPushAvailable(pageAt("https://loja.example/"), false)).toBe(true);
  });

  it("does not hold on http, nor where the context is not secure", () => {
    expect(isPushAvailable(pageAt("http://loja.example/"), true)).toBe(false);
    const embedded = { ...pageAt("https://loja.example/"), isSecureContext: false };
    expect(isPushAvailable(embedded, true)).toBe(false);
  });

  it.each([
    "http://localhost:8080/",
    "http://127.0.0.1/",
    "http://[::1]:81/",
    "http://a.localhost/",
  ])("takes %s for secure only where loopback is allowed", (url) => {
    expect(isPushAvailable(pageAt(url), true)).toBe(true);
    expect(isPushAvailable(pageAt(url), false)).toBe(false);
  });

  it.each([
    "http://localhost.example/",
    "http://127.0.0.1.example/",
    "http://notlocalhost/",
    "http://10.0.0.1/",
  ])("does not take %s for loopback", (url) =>
    expect(isPushAvailable(pageAt(url), true)).toBe(false),
  );

  it.each([
    ["iPhone", { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)" }],
    ["iPad", { userAgent: "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)" }],
    ["iPod", { userAgent: "Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X)" }],
    ["iPhone asking for the desktop's page", { platform: "iPhone" }],
    ["iPad as a Mac", { platform: "MacIntel", maxTouchPoints: 5 }],
  ])("does not hold in an %s", (_name, navigator) => {
    expect(isPushAvailable(pageAt("https://loja.example/", navigator), true)).toBe(false);
  });

  it("holds on a Mac, which has no touch screen, and on a touch screen that is no Mac", () => {
    const mac = pageAt("https://loja.example/", { platform: "MacIntel", maxTouchPoints: 0 });
    expect(isPushAvailable(mac, false)).toBe(true);
    const tablet = pageAt("https://loja.example/", { platform: "Win32", maxTouchPoints: 10 });
    expect(isPushAvailable(tablet, false)).toBe(true);
  });

  it.each(["serviceWorker", "PushManager", "Notification"])("needs %s", (lacking) => {
    expect(isPushAvailable(pageAt("https://loja.example/", {}, lacking), false)).toBe(false);
  });
});
