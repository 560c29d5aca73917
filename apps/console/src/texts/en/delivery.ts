import type { Texts } from "../pt/index.ts";

export const delivery: Texts["delivery"] = {
  title: "Delivery",
  held: "Delivery held",
  running: "Delivery running",
  runningWhat: "Each notice goes out at its time.",
  heldWhat:
    "Nothing is sent until delivery is resumed. Registrations and new notices are still taken.",
  since: (when) => `Since ${when}.`,
  copyOf: (when) => `Back-up from ${when}.`,
  why: {
    restored: "The data comes from a back-up, and another server may have sent what waits.",
    cloned: "The data folder is a copy, and the server that it was copied from may send the same.",
    asked: "An operator has stopped the delivery.",
  },
  stopOther:
    "Before you resume, stop the other server for good: it would also send the notices that go out later.",
  open: "Open Delivery",
  waits: {
    cancel:
      "When delivery is resumed, this notice will be cancelled, unless an operator marks it in Delivery.",
    now: "This notice waits until delivery is resumed.",
    later: "This notice goes out at its time only if delivery is resumed by then.",
    doubtful:
      "Another server may send this notice, at the time that it has there. If delivery is resumed after that time, this notice will be cancelled, unless an operator marks it in Delivery.",
    unlisted: "This notice does not go out while delivery is held.",
    expire: "This notice does not go out any more: its validity is over.",
  },

  nothingWaits: "No notice waits.",
  fates: {
    cancel: {
      title: "Will be cancelled",
      what: "Another server may have sent these notices.",
    },
    now: {
      title: "Sent on resume",
      what: "These notices go out as soon as delivery is resumed.",
    },
    later: { title: "Sent later", what: "These notices go out at their time." },
    expire: { title: "Not sent", what: "The validity of these notices is over." },
  },
  mark: "Mark the notices to send anyway.",
  notices: (count, shown) => (count === 1 ? "1 notice" : `${shown} notices`),
  due: (when) => `Due ${when}`,
  dueLocal: (when) => `Due ${when}, in each person's local time`,
  begun: "has begun to go out",
  registrations: (count, shown) => (count === 1 ? "1 browser waits" : `${shown} browsers wait`),
  expired: "Its validity is over: it is not sent.",
  cut: (shown) => `Only the first ${shown} are listed here.`,
  sendAnyway: "Send anyway",
  sendAllAnyway: "Send all anyway",
  ownersOnly: (role) => `To hold or resume delivery takes the role ${role}.`,

  resume: "Resume delivery",
  resumeTitle: "Resume delivery?",
  outcome: {
    cancel: (count, shown) =>
      count === 1 ? "1 notice is cancelled for good." : `${shown} notices are cancelled for good.`,
    now: (count, shown) =>
      count === 1 ? "1 notice begins to go out now." : `${shown} notices begin to go out now.`,
    later: (count, shown) =>
      count === 1 ? "1 notice goes out at its time." : `${shown} notices go out at their time.`,
    expire: (count, shown) =>
      count === 1
        ? "1 notice is not sent: its validity is over."
        : `${shown} notices are not sent: their validity is over.`,
  },
  unlistedMayExpire: "Of those not listed, only the ones that are still valid are sent.",
  unlistedCancelled: (count, shown) =>
    count === 1
      ? "1 of the cancelled notices is not in the list."
      : `${shown} of the cancelled notices are not in the list.`,
  resumed: (count, shown) => {
    if (count === 0) return "Delivery is resumed. No notice was cancelled.";
    return `Delivery is resumed. ${count === 1 ? "1 notice was cancelled." : `${shown} notices were cancelled.`}`;
  },
  stale:
    "Delivery is still held: the list changed while you looked at it. Check the new list and resume again.",
  alreadyRunning: "Delivery had already been resumed. This request changed nothing.",

  hold: "Hold delivery",
  holdTitle: "Hold delivery?",
  holdWhat:
    "The whole server stops sending until an owner resumes delivery. Restarting the server does not change that.",
  holdKeeps: "Registrations and new notices are still taken.",
  nowHeld: "Delivery is now held.",
  keep: "Leave it as it is",
};
