import { browserNames, systemNames } from "./proper-names.ts";
import type * as portuguese from "./pt.ts";

export const messageStates: typeof portuguese.messageStates = {
  scheduled: "Scheduled",
  sending: "Sending",
  paused: "Paused",
  done: "Done",
  cancelled: "Cancelled",
  replaced: "Replaced",
};

export const targets: typeof portuguese.targets = {
  all: "The whole audience",
  topic: "A topic",
  condition: "A condition",
  user: "A user",
  token: "One browser",
  tokens: "Some browsers",
};

export const urgencies: typeof portuguese.urgencies = {
  "very-low": "Very low",
  low: "Low",
  normal: "Normal",
  high: "High",
};

export const pushServices: typeof portuguese.pushServices = {
  fcm: "Google (Chrome, Edge, Opera)",
  mozilla: "Mozilla (Firefox)",
  apple: "Apple (Safari)",
  windows: "Microsoft (Edge on Windows)",
  other: "Another service",
};

export const browsers: typeof portuguese.browsers = {
  ...browserNames,
  other: "Another",
  unknown: "Unknown",
};

export const systems: typeof portuguese.systems = {
  ...systemNames,
  other: "Another",
  unknown: "Unknown",
};

export const languages: typeof portuguese.languages = { other: "Another", unknown: "Unknown" };

export const registrationStates: typeof portuguese.registrationStates = {
  live: "Reachable",
  left: "Left",
  gone: "Subscription ended",
  removed: "Removed by an operator",
};

export const outcomes: typeof portuguese.outcomes = {
  retry: "To be retried",
  gone: "Subscription ended",
  rejected: "Refused",
  failed: "Not sent",
};

export const publishers: typeof portuguese.publishers = {
  operator: "Team member",
  "api-key": "API key",
  "command-line": "Command line",
};

export const sums: typeof portuguese.sums = {
  all: "All",
};

export const counts: typeof portuguese.counts = {
  accepted: "Accepted",
  retry: "To be retried",
  gone: "Ended",
  rejected: "Refused",
  failed: "Not sent",
  unsent: "Pending",
  displayed: "Displayed",
  clicked: "Clicked",
  closed: "Closed",
};

export const columns: typeof portuguese.columns = {
  ...counts,
  id: "ID",
  title: "Title",
  body: "Text",
  link: "Link",
  state: "State",
  target: "For whom",
  target_detail: "Audience detail",
  urgency: "Urgency",
  ttl_seconds: "Lifetime (seconds)",
  published_by: "Published with",
  publisher: "Published by",
  created_at: "Created",
  schedule_at: "Scheduled for",
  local_time: "At each person’s local time",
  started_at: "Began",
  ended_at: "Finished",
  registrations: "Browsers",
  replaces: "Replaces (ID)",
  replaced_by: "Replaced by (ID)",
  token: "Token",
  push_service: "Push service",
  outcome: "What happened",
  reason: "Reason",
  detail: "Detail",
  attempts: "Attempts",
  changed_at: "Last change",
  retry_at: "Next attempt",
  registered_at: "Registered",
  origin: "Site",
  browser: "Browser",
  system: "System",
  language: "Language",
  time_zone: "Time zone",
  user: "User of the site",
  topics: "Topics",
  confirmed_at: "Confirmed",
};

export const files: typeof portuguese.files = {
  messages: "notices",
  figures: "notice-figures",
  exceptions: "notice-not-received",
  registrations: "subscribers",
};
