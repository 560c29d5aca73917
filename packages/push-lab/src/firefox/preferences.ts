import { checkedHosts } from "../host-names.ts";
import { loopbackAddress } from "../listening.ts";

export type FirefoxPreferences = Readonly<Record<string, string | number | boolean>>;

/**
 * The preferences with which Firefox uses the lab and calls nobody else: for puppeteer's `extraPrefsFirefox`, or a line each
 * in the profile's `user.js`.
 *
 * @param port where the lab's connection for Firefox listens
 * @param proxyPort where its proxy listens, which refuses every call to somebody else, and tells it
 * @param hosts other host names to be found on 127.0.0.1, for pages that are not on loopback to the browser
 * @throws PushLabError `invalid-host`
 */
export function firefoxPreferences({
  port,
  proxyPort,
  hosts,
}: {
  port: number;
  proxyPort: number;
  hosts: readonly string[];
}): FirefoxPreferences {
  return {
    "dom.push.serverURL": `ws://${loopbackAddress}:${port}/`,
    "dom.push.testing.allowInsecureServerURL": true,
    "dom.push.connection.enabled": true,
    // Milliseconds until it comes back after its connection was cut; usually 5 s.
    "dom.push.retryBaseInterval": 200,
    // Where there is no desktop, showNotification() rejects if it is to use the desktop's own notifications.
    "alerts.useSystemBackend": false,
    ...loopbackOnly(proxyPort, checkedHosts(hosts)),
    ...quiet,
  };
}

/** Loopback Firefox reaches by itself, everything else through the proxy, but for the played hosts. */
function loopbackOnly(proxyPort: number, hosts: readonly string[]): FirefoxPreferences {
  return {
    "network.proxy.type": 1,
    "network.proxy.http": loopbackAddress,
    "network.proxy.http_port": proxyPort,
    "network.proxy.ssl": loopbackAddress,
    "network.proxy.ssl_port": proxyPort,
    // The proxy's way of writing "and every host below it" is a leading dot.
    "network.proxy.no_proxies_on": hosts.map((host) => host.replace(/^\*/, "")).join(","),
    // Else what concerns Firefox itself goes out directly where the proxy refuses it.
    "network.proxy.failover_direct": false,
    "network.proxy.allow_bypass": false,
    // Whatever still asks for a name is told loopback.
    "network.dns.forceResolve": loopbackAddress,
    "network.trr.mode": 5,
    "network.http.http3.enable": false,
  };
}

/** What Firefox would call home for. The proxy would refuse it anyway: this saves the attempts. */
const quiet: FirefoxPreferences = {
  // Updates of the browser, its add-ons, its plug-ins, its search engines
  "app.update.auto": false,
  "app.update.checkInstallTime": false,
  "extensions.update.enabled": false,
  "extensions.getAddons.cache.enabled": false,
  "extensions.systemAddon.update.enabled": false,
  "media.gmp-manager.updateEnabled": false,
  "media.gmp-provider.enabled": false,
  "browser.search.update": false,
  // Telemetry, studies, crash reports
  "datareporting.healthreport.uploadEnabled": false,
  "datareporting.usage.uploadEnabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "datareporting.policy.dataSubmissionPolicyBypassNotification": true,
  "toolkit.telemetry.enabled": false,
  "toolkit.telemetry.unified": false,
  "toolkit.telemetry.server": "",
  "app.normandy.enabled": false,
  "app.normandy.api_url": "",
  "app.shield.optoutstudies.enabled": false,
  "browser.tabs.crashReporting.sendReport": false,
  // Is there a network, where is it, what does it say
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "browser.region.network.url": "",
  "browser.region.update.enabled": false,
  "network.dns.disablePrefetch": true,
  "network.http.speculative-parallel-limit": 0,
  "network.prefetch-next": false,
  // Lists of dangerous sites, certificates, translations
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.safebrowsing.downloads.enabled": false,
  "browser.safebrowsing.blockedURIs.enabled": false,
  "browser.safebrowsing.provider.google4.updateURL": "",
  "browser.safebrowsing.provider.google5.updateURL": "",
  "browser.safebrowsing.provider.mozilla.updateURL": "",
  "security.OCSP.enabled": 0,
  "security.remote_settings.crlite_filters.enabled": false,
  "security.remote_settings.intermediates.enabled": false,
  "browser.translations.enable": false,
  "extensions.blocklist.enabled": false,
  // Only with MOZ_DISABLE_NONLOCAL_CONNECTIONS=1 in its environment does Firefox let this be overridden.
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  // Pages of its own at the start and in new tabs
  "browser.startup.page": 0,
  "browser.startup.homepage": "about:blank",
  "browser.startup.homepage_override.mstone": "ignore",
  "startup.homepage_welcome_url": "about:blank",
  "browser.aboutwelcome.enabled": false,
  "browser.newtabpage.enabled": false,
  "browser.newtabpage.activity-stream.feeds.topsites": false,
  "browser.newtabpage.activity-stream.feeds.system.topstories": false,
  "browser.newtabpage.activity-stream.showSponsoredTopSites": false,
  "browser.newtabpage.activity-stream.unifiedAds.tiles.enabled": false,
  "browser.newtabpage.activity-stream.unifiedAds.spocs.enabled": false,
  "browser.topsites.contile.enabled": false,
  "browser.discovery.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.uitour.enabled": false,
};
