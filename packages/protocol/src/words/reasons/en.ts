import type { reasons as portuguese } from "./pt.ts";

const nothing = "Nothing needs to be done.";
const again = "It is tried again while the notice is worth delivering.";
const reach =
  "Check that this machine reaches the push service: its network and firewall (Sineta goes through no proxy), and SINETA_PUSH_ROUTES if that is set.";
const vendor = "Look up what it said in its vendor's documentation.";
const between = `${vendor} Something between here and there may answer in its place.`;
const shorter = "Send a shorter notice: title, text, data, buttons and addresses together count.";

export const reasons: typeof portuguese = {
  gone: {
    title: "The browser cannot be reached any more",
    meaning:
      "The person took the permission back, cleared the browser or gave it up: the push service ended the registration.",
    remedy: `${nothing} If the person comes back to the site with permission, the registration comes back by itself. A browser that was cleared comes back as a new one.`,
  },
  throttled: {
    title: "The service asks to go slower",
    meaning: "The push service asks to send less (429; from Windows also 406).",
    remedy: "It goes on after the pause; nothing needs to be done.",
  },
  "service-unavailable": {
    title: "The service had an error",
    meaning: "The push service answered with an error of its own (5xx).",
    remedy: `${again} Look at the push service's status page if it lasts.`,
  },
  "service-timed-out": {
    title: "The request took too long to arrive",
    meaning: "The push service did not get the whole request in time (408).",
    remedy: again,
  },
  "answer-timed-out": {
    title: "The service did not answer in time",
    meaning: "No answer came within the deadline. The push may have been accepted.",
    remedy: `${again} If it lasts, check that this machine's network is not overloaded, and the push service's status page.`,
  },
  "stream-broken": {
    title: "The connection broke under way",
    meaning: "The connection broke under way. The push may have been accepted.",
    remedy: again,
  },
  "stream-refused": {
    title: "The service did not look at the request",
    meaning: "The push service did not look at this request, twice (REFUSED_STREAM or GOAWAY).",
    remedy: again,
  },
  "name-not-resolved": {
    title: "The service's name was not found",
    meaning: "DNS gave no answer for the push service's address.",
    remedy:
      "Check this machine's DNS: the name in the detail must resolve here. In a network without DNS, set SINETA_PUSH_ROUTES.",
  },
  "connect-failed": {
    title: "There was no connection",
    meaning: "No connection to the push service could be made, or it ended before any request.",
    remedy: reach,
  },
  "connect-timed-out": {
    title: "Connecting took too long",
    meaning: "No usable connection to the push service came up within the deadline.",
    remedy: `${reach} A firewall that drops packets looks like this.`,
  },
  "tls-failed": {
    title: "The secure connection failed",
    meaning: "The TLS handshake failed; often it is a certificate that is not trusted here.",
    remedy:
      "Check this machine's clock. If something between here and the push service has a certificate of its own (a proxy, a test), trust its authority with NODE_EXTRA_CA_CERTS and start the server again.",
  },
  "queue-timed-out": {
    title: "Its turn did not come in time",
    meaning: "The deadline passed before the push service allowed one more request. Not sent.",
    remedy: again,
  },
  "queue-full": {
    title: "Too many requests wait",
    meaning: "Too many requests wait for this push service already. Not sent.",
    remedy: again,
  },
  withdrawn: {
    title: "Withdrawn before it was sent",
    meaning:
      "It was withdrawn before it began: the notice was cancelled, or the browser left. Not sent.",
    remedy: nothing,
  },
  "sender-closed": {
    title: "The server was stopped",
    meaning: "The server stopped before an answer came.",
    remedy: "It is sent when the server runs again.",
  },
  "sender-failed": {
    title: "An error of the server",
    meaning:
      "What sends on this server ended by an error of its own before an answer came. The push may have been accepted.",
    remedy: "Look into the server's log, and report what stands there.",
  },
  "vapid-refused": {
    title: "The project's key was refused",
    meaning:
      "The service refused the VAPID key or token (401, 403, or a 400 that speaks of it). The server's mistake, never the browser's.",
    remedy:
      "Check this machine's clock and SINETA_VAPID_SUBJECT, then start the server again. Nobody is removed meanwhile.",
  },
  "too-large": {
    title: "The notice is too large",
    meaning: "The content is larger than the push service takes (413).",
    remedy: shorter,
  },
  redirect: {
    title: "The service pointed elsewhere",
    meaning: "The push service answered with a redirect, which is never followed (3xx).",
    remedy: between,
  },
  "request-refused": {
    title: "The service refused the request",
    meaning: "The push service refused the request in another way (4xx).",
    remedy: vendor,
  },
  "unexpected-status": {
    title: "An unknown answer",
    meaning: "The answer has a status that the standard (RFC 8030) does not know.",
    remedy: between,
  },
  "endpoint-not-allowed": {
    title: "The address is not allowed",
    meaning: "Sineta may not send to this address; the detail says why.",
    remedy: "If it is a push service of your own, allow its host with SINETA_PUSH_HOSTS.",
  },
  "address-not-allowed": {
    title: "The address is not public",
    meaning: "The service's name leads to no public address, and no route leads there.",
    remedy:
      "Check this machine's DNS. If the push service is in your own network, name it in SINETA_PUSH_ROUTES.",
  },
  "keys-unusable": {
    title: "The browser's keys cannot be used",
    meaning: "One of the registration's keys (p256dh or auth) cannot be used.",
    remedy: "Nothing can be sent to this browser until it registers anew.",
  },
  "plaintext-too-large": {
    title: "The notice is too large",
    meaning: "The content is over 3,993 bytes.",
    remedy: shorter,
  },
  "options-invalid": {
    title: "A lifetime or urgency beyond the standard",
    meaning: "The lifetime, urgency or key is not one that the standard (RFC 8030) allows.",
    remedy: "Report it with the detail: such a notice should have been refused.",
  },
  unexpected: {
    title: "An unexpected error",
    meaning: "Something that should not happen happened in the server; the detail has the error.",
    remedy: "Look into the server's log, and report it with the detail.",
  },
  unavailable: {
    title: "The service does not answer",
    meaning: "The push service does not answer, or only with errors of its own (5xx).",
    remedy: `${reach} If it does, wait: it is tried again by itself.`,
  },
  "refuses-all": {
    title: "The service refuses everything",
    meaning: "The push service refuses every push, and not because of the VAPID key.",
    remedy: `${vendor} Mend that, then start the server again.`,
  },
  "vapid-key-unknown": {
    title: "The registration's key is gone",
    meaning: "The registration was made with a VAPID key that the project does not have.",
    remedy:
      "Put back the data folder that has the key; whoever loads the site subscribes with the present one.",
  },
  expired: {
    title: "Its time was over",
    meaning: "The notice's lifetime was over before the push service accepted it.",
    remedy: "Give the next notice a longer lifetime, or see under Home what kept it.",
  },
  cancelled: {
    title: "Cancelled before it went out",
    meaning: "The notice was cancelled before the push service accepted it.",
    remedy: nothing,
  },
  "not-in-audience": {
    title: "Left the audience",
    meaning:
      "The browser left, or is not among those whom the notice is for any more, before it was tried again.",
    remedy: nothing,
  },
  "never-accepted": {
    title: "Host never accepted anything",
    meaning:
      "The push service's host has never accepted a push, while others did: it is probably made up. The registration stays.",
    remedy: "The next notice tries it once, and goes on if it accepts.",
  },
  moved: {
    title: "Has another subscription",
    meaning: "The browser has another subscription since, and gets it there. Not sent yet.",
    remedy: nothing,
  },
  renewed: {
    title: "Came back with another subscription",
    meaning: "The subscription had ended, and the browser came back meanwhile. It is sent there.",
    remedy: nothing,
  },
};
