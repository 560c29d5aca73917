import type { Texts } from "../pt/index.ts";

export const firstRun: Texts["firstRun"] = {
  title: "First steps",
  what: "In a few minutes the first notice arrives in this browser. You can leave and come back: what is done stays done.",
  done: "Done",
  account: "Create your account",
  accountDone: (name) => `You are logged in as ${name}.`,
  name: "Name the project",
  nameWhat: "The name of the site or shop, as people know it.",
  bell: "See the bell, and turn it on here",
  bellWhat:
    "This is how visitors of the site see the bell. Turn it on in this browser, and say yes when it asks whether the site may notify.",
  bellOn: "This browser is registered and can receive notices.",
  enable: "Turn on notices here",
  obstacles: {
    insecure:
      "This page was opened without https, and browsers offer notices on https pages only. Put a proxy with https in front of the server, set SINETA_PUBLIC_URL to its https address, and open the console there.",
    loopback:
      "This page was opened by http on this computer, and the server was started with a public address. Open the console at the https address set as SINETA_PUBLIC_URL.",
    apple:
      "The bell does not show on an iPhone, iPad or iPod. Open the console on a computer or an Android phone.",
    unsupported:
      "This browser offers no push notices here. Use a current Chrome, Edge, Firefox or Safari, outside of a private window.",
    denied:
      "Notices of this site are blocked in this browser. Click the icon beside the page's address, allow notifications, and come back to this page.",
  },
  errors: {
    "worker-failed":
      "The browser could not install the service worker. Reload the page; if it stays so, look whether a proxy in front of the server changes the file /sineta-sw.js.",
    "subscribe-failed":
      "The browser's push service refused the registration. Check this computer's connection to the internet and try again.",
    "token-timeout":
      "The registration took too long. Check the connection and try again; if it comes later, the bell turns on by itself.",
    "server-unreachable": "The server did not answer. Check the connection and try again.",
    "server-refused":
      "The server refused the registration. Check that the console was opened at the address set as SINETA_PUBLIC_URL.",
    "storage-failed":
      "The browser does not let this page keep data. Leave the private window, or allow this site's data.",
  },
  unknownError: (code) => `The bell could not be turned on (${code}). Try again.`,
  send: "Send the first notice to this browser",
  bellFirst: "Turn the bell on first.",
  titleOfNotice: "Title",
  bodyOfNotice: "Text",
  firstTitle: "Hello!",
  firstBody: "This is your site's first notice.",
  sendNow: "Send to this browser",
  sendAgain: "Send again",
  arrive: "See the notice arrive",
  arriveWhat:
    "Once it is sent, the notice shows in the corner of the screen, and its way can be seen here.",
  underWay: "The notice is on its way to the browser's push service…",
  accepted: "The push service has accepted the notice. The browser has yet to display it…",
  arrived: "The notice arrived and was displayed in this browser.",
  failed: (reason) =>
    `The push service has not accepted the notice yet (${reason}). The server goes on trying for 5 minutes; check the server's connection to the internet.`,
  gone: "The push service says that this registration has ended. Reload the page, turn the bell on again and send once more.",
  late: "The notice was accepted, but the browser has not yet said that it displayed it. Look whether the system is set to “do not disturb”, whether this browser's notifications are allowed in the system's settings, and whether the browser is open.",
  over: "All is ready: notices leave here and arrive. Now put the bell on your site.",
  leave: "Go to the console",
  toInstall: "Put the bell on the site",
  toCompose: "Write a notice",
};
