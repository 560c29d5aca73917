import { describe, expect, it } from "vitest";
import { isOfferedOn, type Surroundings } from "./availability.ts";

const desktop = {
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0",
  platform: "Linux x86_64",
  maxTouchPoints: 0,
};

function pageAt(url: string, navigator: Partial<Surroundings["navigator"]> = {}, lacking = "") {
  const page = {
    isSecureContext: true,
    origin: new URL(url).origin,
    location: new URL(url),
    navigator: { ...desktop, serviceWorker: {}, ...navigator },
    PushManager: class {},
    Notification: class {},
  };
  Reflect.deleteProperty(page, lacking);
  Reflect.deleteProperty(page.navigator, lacking);
  return page;
}

const vapidKey = `B${"A".repeat(86)}`;
const offer = { vapidKey };
const withLoopback = { vapidKey, allowLoopback: true };

describe("isOfferedOn", () => {
  it("holds on a secure https page", () => {
    expect(isOfferedOn(pageAt("https://loja.example/"), offer)).toBe(true);
  });

  it("does not hold on http, nor where the context is not secure", () => {
    expect(isOfferedOn(pageAt("http://loja.example/"), withLoopback)).toBe(false);
    const embedded = { ...pageAt("https://loja.example/"), isSecureContext: false };
    expect(isOfferedOn(embedded, withLoopback)).toBe(false);
  });

  it("does not hold on a sandboxed page", () => {
    const sandboxed = { ...pageAt("https://loja.example/"), origin: "null" };
    expect(isOfferedOn(sandboxed, withLoopback)).toBe(false);
  });

  it("needs a key", () => {
    expect(isOfferedOn(pageAt("https://loja.example/"), { vapidKey: "" })).toBe(false);
  });

  it.each([
    "http://localhost:8080/",
    "http://127.0.0.1/",
    "http://[::1]:81/",
    "http://a.localhost/",
  ])("takes %s for secure only where loopback is allowed", (url) => {
    expect(isOfferedOn(pageAt(url), withLoopback)).toBe(true);
    expect(isOfferedOn(pageAt(url), offer)).toBe(false);
  });

  it.each([
    "http://localhost.example/",
    "http://127.0.0.1.example/",
    "http://notlocalhost/",
    "http://10.0.0.1/",
  ])("does not take %s for loopback", (url) =>
    expect(isOfferedOn(pageAt(url), withLoopback)).toBe(false),
  );

  const appleHandhelds: [string, Partial<Surroundings["navigator"]>][] = [
    ["iPhone", { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)" }],
    ["iPad", { userAgent: "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)" }],
    ["iPod", { userAgent: "Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X)" }],
    ["iPhone asking for the desktop's page", { platform: "iPhone" }],
    ["iPad as a Mac", { platform: "MacIntel", maxTouchPoints: 5 }],
  ];
  it.each(appleHandhelds)("does not hold in an %s", (_name, navigator) => {
    expect(isOfferedOn(pageAt("https://loja.example/", navigator), withLoopback)).toBe(false);
  });

  it.each(appleHandhelds)(
    "holds in an %s only from the Home Screen, where that is asked for",
    (_name, navigator) => {
      const fromHomeScreen = pageAt("https://loja.example/", { ...navigator, standalone: true });
      const inBrowser = pageAt("https://loja.example/", { ...navigator, standalone: false });
      const appleDevices = "home-screen";
      expect(isOfferedOn(fromHomeScreen, { ...offer, appleDevices })).toBe(true);
      expect(isOfferedOn(inBrowser, { ...offer, appleDevices })).toBe(false);
      expect(isOfferedOn(fromHomeScreen, offer)).toBe(false);
    },
  );

  it("does not hold from the Home Screen before iOS 16.4, which has no push", () => {
    const iphone = { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 16_3)", standalone: true };
    const page = pageAt("https://loja.example/", iphone, "PushManager");
    expect(isOfferedOn(page, { ...offer, appleDevices: "home-screen" })).toBe(false);
  });

  it("holds on a Mac, which has no touch screen, and on a touch screen that is no Mac", () => {
    const mac = pageAt("https://loja.example/", { platform: "MacIntel", maxTouchPoints: 0 });
    expect(isOfferedOn(mac, offer)).toBe(true);
    const tablet = pageAt("https://loja.example/", { platform: "Win32", maxTouchPoints: 10 });
    expect(isOfferedOn(tablet, offer)).toBe(true);
  });

  it.each(["serviceWorker", "PushManager", "Notification"])("needs a value of %s", (lacking) => {
    const page = pageAt("https://loja.example/");
    Object.assign(lacking in page ? page : page.navigator, { [lacking]: undefined });
    expect(isOfferedOn(page, offer)).toBe(false);
  });

  it.each(["serviceWorker", "PushManager", "Notification"])("needs %s", (lacking) => {
    expect(isOfferedOn(pageAt("https://loja.example/", {}, lacking), offer)).toBe(false);
  });
});
