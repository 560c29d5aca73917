import type { Texts } from "../pt/index.ts";

export const install: Texts["install"] = {
  origins: "Allowed origins",
  originsWhat: "Only pages of these origins can register browsers in this project.",
  originsFromEnvironment:
    "The list comes from SINETA_ORIGINS. To change it, set the variable at the server and start it again.",
  originsFromSettings: "The list is changed in Settings, Project.",
  addressNotSet:
    "SINETA_PUBLIC_URL is not set, so Sineta answers at this computer's addresses. For a real site, set the variable to Sineta's https address and start the server again.",
  twoNames: ({ plain, www }) =>
    `Visitors who turned the bell on at both ${plain} and ${www} have two registrations and get each notice twice. Redirect one address to the other on the site's server. Then take the redirected address off the list.`,
  bell: "Appearance",
  bellWhat: "The bell itself, off and on. Colours that you choose go into the code below.",
  pages: { light: "Light page", dark: "Dark page" },
  colors: { off: "Off", on: "On", focus: "Keyboard focus" },
  ownColors: "Back to the bell's own colours",
  pale: (state, page) =>
    `${state}: little contrast on a ${page.toLowerCase()}. Choose a colour that can be seen on both.`,
  snippet: "Code to copy",
  plainHtml: "Plain HTML",
  kinds: {
    react: "For a site in React, with any bundler (Vite, for example).",
    html: "For a page without a framework: the button is yours, the rest comes from the package. The ready-made bell, with the colours you choose, is there for React only.",
  },
  notOnRegistry:
    "The packages are not on a public registry yet: make them with npm run packages in Sineta's code, which here lies beside the site's folder, and install the files in dist/.",
  where: {
    terminal: "1. In the terminal, in the site's folder",
    code: "2. In the page's code",
    styles: "3. In the site's CSS",
  },
  workerWhat: (worker) =>
    `The file ${worker} has to be on the page's own origin, served as JavaScript and without a redirect.`,
  check: "Check the site",
  checkWhat:
    "The server opens the page as a visitor would and says what is missing. It reads the page, its scripts and what these import, not what scripts put together later.",
  page: "Address of the page",
  look: "Check",
  nothingMissing: "Nothing keeps the bell from working.",
  somethingMissing: (count) =>
    count === 1
      ? "1 thing keeps the bell from working."
      : `${count} things keep the bell from working.`,
  pageUnknown: "I could not check this from here.",
  restUnknown: "Nothing that was checked keeps the bell from working.",
  states: { ok: "OK", warning: "Attention", missing: "Error", unknown: "Not checked" },
  seen: "Seen:",
  reasons: {
    found: "It is as it has to be.",
    loopback: "It is http on this computer, which is good for development only.",
    insecure: "It is not https.",
    "certificate-invalid": "The certificate is not valid for this address.",
    "not-found": "It was not found.",
    none: "Nothing to say.",
    status: "The site's server answered with another status than 200.",
    redirected: "The address redirects to another one.",
    "redirected-elsewhere": "The address leads to another origin.",
    "too-many-redirects": "There are too many redirects.",
    "timed-out": "The site took too long to answer.",
    "too-large": "It is too large: only its beginning was read.",
    encoded: "It came compressed without being asked, and was not read.",
    "address-not-allowed":
      "The address is not public. The server opens only public pages. Open the page in a browser of your network and tap the bell.",
    "name-not-resolved": "The name is not in the DNS.",
    "connection-failed": "There was no connection.",
    "content-type-wrong": "The content type is not the one expected.",
    "not-looked-at": "It is on another origin, and was not looked at.",
    "other-key": "It is the key of another project or server.",
    "not-sineta": "The file is there, but it is not Sineta's.",
    "blocks-script":
      "The page's policy forbids the bell's script: allow the script in the directive seen. If that has 'strict-dynamic', give the script a nonce.",
    "blocks-worker": "The page's policy forbids the service worker: allow 'self' in worker-src.",
    "blocks-connection":
      "The page's policy forbids talking to Sineta's server: allow its origin in connect-src.",
    "blocks-trusted-types":
      "The page demands Trusted Types and does not allow the policy sineta: add sineta to trusted-types.",
    "sandboxes-page":
      "The directive sandbox isolates the page: add allow-scripts and allow-same-origin to it.",
    "blocks-worker-connection":
      "The policy of the service worker's file forbids talking to Sineta's server. So no notice counts as displayed: allow the server's origin in connect-src.",
    "blocks-worker-images":
      "The policy of the service worker's file forbids the images of notices: allow the site's origin and that of Sineta's server in img-src.",
    "sandboxes-worker":
      "The directive sandbox isolates the service worker. So no notice counts as displayed: send the file with a policy without sandbox.",
    malformed: "It cannot be read.",
  },
  findings: {
    https: {
      name: "https",
      todo: "Serve the site by https, with a valid certificate: browsers offer notices only so.",
      reasons: { found: "The page is served by https." },
    },
    "page-reachable": {
      name: "The page opens",
      todo: "Check the address, and whether it opens in a private window outside of your network.",
      reasons: { found: "The page answered." },
    },
    "bell-found": {
      name: "The bell is on the page",
      todo: "Put the code above on the page and publish the site.",
      reasons: {
        found: "Sineta's code is on the page.",
        "not-found": "No script of the page holds Sineta's code.",
        "not-looked-at":
          "Sineta's code is in none of this origin's scripts; there are scripts that were not looked at.",
      },
    },
    "vapid-key": {
      name: "The VAPID key is this project's",
      todo: "Use the public key shown on this page in the code.",
      reasons: {
        found: "The page's key is this project's.",
        "not-found": "The key was not seen in the code: perhaps it is read from elsewhere.",
      },
    },
    "worker-reachable": {
      name: "The service worker",
      todo: "Copy sw.js of the package @sineta/client to the site's root as sineta-sw.js, served as text/javascript.",
      reasons: {
        found: "The file is in its place, as JavaScript.",
        redirected: "The address redirects, which browsers do not follow for a service worker.",
        "redirected-elsewhere": "The service worker has to be on the page's own origin.",
        "content-type-wrong": "The file is not served as JavaScript.",
      },
    },
    "content-security-policy": {
      name: "Security policy (CSP)",
      todo: "Change the header Content-Security-Policy that the site sends, or the meta element of the page. A new directive holds in place of default-src: repeat the sources of default-src there.",
      reasons: {
        found: "The policy allows what the bell needs.",
        none: "There is no policy, so none blocks the bell.",
      },
    },
    "mixed-content": {
      name: "Parts without https",
      todo: "Replace http:// by https:// in the addresses that the page loads.",
      reasons: {
        none: "All that the page loads comes by https.",
        insecure: "The page loads something without https.",
      },
    },
    manifest: {
      name: "The site's manifest",
      todo: "The bell works without it; with a manifest the site can be installed and has a name and icon of its own.",
      reasons: { "not-found": "The page points to no manifest." },
    },
    icons: {
      name: "Icons",
      todo: "Put icons of 192×192 and 512×512 into the manifest that can be opened.",
      reasons: {
        found: "The icons are there in the right sizes.",
        "not-found": "Icons are missing from the manifest.",
      },
    },
  },
};
