import {
  browsers,
  languages,
  pushServices,
  registrationStates,
  systems,
} from "@sineta/protocol/words/en";
import type { Texts } from "../pt/index.ts";

export const audience: Texts["audience"] = {
  browsers,
  systems,
  languages,
  pushServices,
  states: registrationStates,
  active: "Active subscribers",
  inDays: (days: number) => `in ${days} days`,
  lastNotice: "Last notice",
  noNotices: "No notice has been sent yet.",
  clickedOfSeen: (rate: string) => `${rate} of those who saw it clicked.`,
  usualRate: (rate: string) => `Your usual: ${rate}.`,
  next: "Coming up",
  nothingNext: "Nothing scheduled, no drafts.",
  nothingScheduled: "Nothing scheduled.",
  whereTheyAre: ", in each reader's time",
  draft: "Draft:",
  saved: (when: string) => `saved ${when}`,
  moreScheduled: (_count: number, shown: string, hasMore: boolean) =>
    hasMore ? `More than ${shown} scheduled` : `${shown} more scheduled`,
  moreDrafts: (count: number, shown: string) =>
    count === 1 ? "1 more draft" : `${shown} more drafts`,
  enteredAndLeft: "Joined and left",
  entered: (_count: number, shown: string) => `${shown} joined`,
  gotLost: (_count: number, shown: string) => `${shown} left`,
  nobodyMoved: "Nobody joined or left in this period.",
  today: "today",
  range: "Period",
  lastDays: (days: number) => `${days} days`,
  chartTitle: "Joined and left, day by day",
  chartLabel: (days: number) =>
    `Chart of the last ${days} days: who joined is above, who left is below. The table beneath has the same figures.`,
  asTable: "See the figures as a table",
  day: "Day (UTC)",
  registered: "New",
  returned: "Came back",
  renewed: "Changed subscription",
  left: "Left by themselves",
  gone: "Subscription ended",
  removed: "Removed by an operator",
  liveAtEnd: "Active at the end of the day",
  renewedWhat:
    "“Changed subscription” is no loss: the same browser can still be reached, at a new address. The page Subscribers shows the losses.",
  whoTheyAre: "Who they are",
  latestNotices: "Latest notices",
  seeAll: "See all",
  notice: "Notice",
  sent: "Sent",
  accepted: "Accepted",
  displayed: "Displayed",
  clicked: "Clicked",
  clicks: "Clicks",
  clicksOf: (_count: number, shown: string) => `${shown} clicked`,
  firstSteps: "First steps",
  firstStepsWhat:
    "Nobody has turned the bell on yet. Turn it on in this browser and send a test notice, or install the bell on your site.",
  walkThrough: "Begin step by step",
  installBell: "Install the bell on the site",

  attention: {
    title: "Needs attention",
    nothing: "All is well here",
    since: (when: string) => `Since ${when}.`,
    waiting: (count: number, shown: string) =>
      count === 1 ? "1 browser waits for this." : `${shown} browsers wait for this.`,
    nextProbe: (when: string) => `Next attempt ${when}.`,
    probeDue: "Next attempt: with the next push.",
    keyRefused: (service: string) => `${service}: the project's key was refused`,
    keyRefusedWhat:
      "Nothing is sent there, and nobody is lost meanwhile. Check the server's clock and the contact in SINETA_VAPID_SUBJECT, then start the server again.",
    breakerOpen: (service: string) => `${service}: sending waits`,
    breakerReasons: {
      unavailable:
        "The service does not answer, or with errors of its own. Check the server's network and the service's status page; if both are fine, wait: Sineta tries again by itself.",
      throttled:
        "The service asked for a pause. Nothing needs to be done: sending goes on after it.",
      "refuses-all":
        "The service refuses every push. Look in the notice at what it said, mend that, and start the server again.",
    },
    nothingAccepted: (service: string) => `${service}: nothing accepted yet`,
    nothingAcceptedWhat: (reason: string) =>
      `Attempts fail (${reason}) and are made again until the notice's time is over. If it lasts, check the server's network and the service's status page.`,
    keyUnknown: (origin: string) => `${origin}: a page has another VAPID key`,
    keyUnknownWhat: (keyStart: string, rightStart: string) =>
      `Its bell registers nobody. The key that it uses begins with ${keyStart}, and the project's with ${rightStart}. Copy the project's key from “Install the bell” into the page.`,
    keyUnknownSince: (since: string, refused: number, shown: string, last: string) =>
      refused === 1
        ? `The server refused one registration, ${last}. Once the page is right, this item leaves the list within a day.`
        : `The server has refused ${shown} registrations since ${since}; the last one, ${last}. Once the page is right, this item leaves the list within a day.`,
    toInstall: "Open “Install the bell”",
    diskLow: "Little space on the disk",
    diskLowWhat: (free: string, threshold: string) =>
      `${free} are left on the data folder's disk (the threshold is ${threshold}). Free space or enlarge the disk: once it is full, nothing more is stored.`,
    registrationsQuota: "Nearly as many registrations as allowed",
    registrationsQuotaWhat: (used: string, quota: string) =>
      `${used} of ${quota} registrations. At the limit, new browsers are refused. Settings change it.`,
    messagesQuota: "Nearly as many notices in an hour as allowed",
    messagesQuotaWhat: (used: string, quota: string) =>
      `${used} of ${quota} notices in the last hour. Wait, or change the limit in Settings.`,
    retentionLate: "Cleaning up is late",
    retentionLateWhat: (oldest: string, days: number) =>
      `Registrations that have ended since ${oldest} should have been removed by now (they are kept for ${days === 1 ? "1 day" : `${days} days`}). The server's log says why that does not go on.`,
    toSettings: "Open Settings",
  },

  losses: {
    title: "Losses and returns",
    none: (days: number) => `No losses in the last ${days} days.`,
    sum: (days: number, [lost, lostShown]: [number, string], returned: string) =>
      `${lostShown} ${lost === 1 ? "loss" : "losses"} in the last ${days} days; from ${returned} the browser has come back.`,
    what: "Includes losses that only the browser noticed. A browser that left or was removed comes back as a new registration.",
    byCause: "Show by cause",
    cause: "Cause",
    lost: "Losses",
    returned: "Came back",
    causes: {
      left: "The browser left",
      removed: "Somebody of the team removed the registration",
      gone: "The push service ended the subscription",
      "subscription-gone": "The push service ended the subscription, and the browser kept it",
      "subscription-missing": "The browser dropped the subscription",
      "subscription-changed": "The browser had another subscription",
      "key-changed": "The site's key changed",
      "worker-missing": "The service worker was removed or moved",
      "worker-replaced": "Another script took the service worker's place",
      "registration-unknown": "The server no longer knew the registration",
      "registration-outdated": "The server knew an old subscription",
    },
  },

  exports: {
    all: "All subscribers",
    filtered: "Only what the filters show",
    plain: "Without tokens",
    plainWhat: "Site, user of the site, browser, topics and dates",
    withTokens: "With tokens",
    withTokensWhat: "The token identifies each browser in the API",
  },

  list: {
    registrations: "Registrations",
    filters: "Filters",
    all: "All",
    state: "State",
    browser: "Browser",
    system: "System",
    language: "Language",
    pushService: "Push service",
    topic: "Topic",
    user: "User of the site",
    token: "The registration's token",
    openToken: "Open",
    searching: "Searching…",
    found: (_count: number, shown: string) => `${shown} found so far`,
    foundAll: (_count: number, shown: string) => `${shown} found`,
    none: "No registration found",
    nobody: "Nobody has registered yet.",
    registeredAt: "Registered",
    confirmedAt: "Confirmed",
    table: "Registrations, newest first",
  },

  registration: {
    title: (token: string) => `Registration ${token}`,
    back: "All registrations",
    why: {
      live: (confirmed: string) => `It can be reached. The browser confirmed itself ${confirmed}.`,
      liveFailing: (title: string, when: string) =>
        `It can be reached, but the notice “${title}” was not accepted ${when}.`,
      refused: (when: string) =>
        `It is registered, but the push service has refused what is sent to it since ${when}, though it takes others: most often the subscription was made with another key. When the person returns to the site, the browser registers anew.`,
      left: (when: string) =>
        `It stopped ${when} because the browser itself left: the person turned notices off, or the site's page did so for them.`,
      gone: (when: string) =>
        `It stopped ${when} because the push service said that this subscription is no more: most often the person withdrew the permission, cleared the site's data or removed the browser. If they return to the site with permission, this registration comes back by itself.`,
      removed: (when: string) =>
        `It stopped ${when} because somebody of the team removed it. With the next visit the browser registers anew, under another token, as long as there is permission.`,
    },
    unknownReason: (code: string) => `For a reason that this console does not know (${code})`,
    timeline: "What happened",
    timelineWhat: "Accepted notices are counted, and not kept for each browser.",
    more: "There is more from before, which is not shown here.",
    events: {
      registered: "Registered",
      confirmed: "Confirmed itself for the last time",
      renewed: (times: number) =>
        times === 1
          ? "Changed its subscription"
          : `Changed its subscription for the last time (${times} times in all)`,
      returned: (times: number) =>
        times === 1
          ? "Came back after a loss"
          : `Last came back after a loss (${times} times in all)`,
      goneAt: (when: string) => `The server learned of it ${when}.`,
      joined: (topic: string) => `Joined the topic ${topic}`,
      displayed: "Displayed the notice",
      clicked: "Clicked the notice",
      closed: "Closed the notice",
      action: (id: string) => `(button ${id})`,
      message: {
        accepted: "The notice was accepted after a change of address",
        gone: "The notice found the subscription ended",
        retry: "The notice waits to be tried again",
        rejected: "The push service refused the notice",
        failed: "The notice was not delivered",
      },
      attempts: (count: number) => (count === 1 ? "1 attempt" : `${count} attempts`),
      refused: "The push service began to refuse what is sent to it",
      left: "The browser left",
      gone: "The push service ended the subscription",
      removed: "Somebody of the team removed the registration",
    },
    details: "Details",
    detailsWhat:
      "The browser's address and keys are never shown. Browser and system are what it says of itself.",
    token: "Token",
    state: "State",
    origin: "Site",
    timeZone: "Time zone",
    user: "User of the site",
    topics: "Topics",
    noTopics: "None",
    forgotten: "Forgotten",
    remove: "Remove registration",
    removeTitle: "Remove this registration?",
    removeWhat:
      "Nothing more is sent to this browser, and this cannot be undone: the subscription is erased at once, with topics and user. But it is no block: as long as there is permission, the browser registers anew with its next visit, under another token. Whoever wants to receive nothing more withdraws the permission in the browser.",
  },

  topics: {
    what: "A topic gathers browsers that want the same notices. Open: any visitor joins. Kept: only your system, or your team, puts somebody into it. Everybody may leave.",
    policies: { open: "Open", kept: "Kept" },
    add: "Make a topic",
    name: "Name",
    nameWhat: "What your team calls it",
    nameMissing: "Write a name.",
    technicalName: "Technical name",
    technicalNameWhat: "Used in the site’s code; it does not change later",
    technicalNameWrong:
      "No spaces or accents: 1 to 64 letters, digits, _ . ~ or -; for example offers-of-the-day",
    rename: "Rename",
    renameOf: (name: string) => `Rename ${name}`,
    renameTitle: "Rename topic",
    renameWhat: (name: string) =>
      `The technical name stays ${name}: the site’s code does not change. Without a name the technical one counts.`,
    renameSave: "Save",
    policy: "Who may join",
    policyOf: (name: string) => `Who may join ${name}`,
    members: (_count: number, shown: string) => `${shown} reachable`,
    see: "See registrations",
    seeOf: (name: string) => `See registrations of ${name}`,
    remove: "Remove",
    removeOf: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove the topic ${name}?`,
    removeWhat: (count: number, shown: string) =>
      `${count === 1 ? "1 browser loses" : `${shown} browsers lose`} this topic and would have to join it again. It cannot be undone.`,
    none: "There are no topics yet.",
    listTitle: "Project topics",
  },
};
