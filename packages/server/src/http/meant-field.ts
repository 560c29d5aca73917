/** Finds the field that the sender of an unknown field probably means. */
import { nearestName } from "../nearest-name.ts";

/**
 * What other APIs of notifications call a field (FCM, OneSignal, Pushover, ntfy, web-push, the Notification API), in
 * lower case without `_` and `-`. Of several names the first one counts that is known where the field stands.
 */
const namesElsewhere: Record<string, readonly string[]> = {
  // notification.link
  actionurl: ["link"],
  click: ["link"],
  clickaction: ["link"],
  clickurl: ["link"],
  deeplink: ["link"],
  href: ["link"],
  launchurl: ["link"],
  navigate: ["link"],
  openurl: ["link"],
  uri: ["link"],
  url: ["link"],
  weburl: ["link"],
  // notification.title and .body; beside the notification: the notification itself
  body: ["notification"],
  content: ["body", "notification"],
  contents: ["body", "notification"],
  description: ["body"],
  header: ["title"],
  heading: ["title", "notification"],
  headings: ["title", "notification"],
  label: ["title"],
  link: ["notification"],
  message: ["body", "title", "notification"],
  subject: ["title", "notification"],
  text: ["body", "title", "notification"],
  title: ["notification"],
  // notification.image, .icon, .badge
  badgeurl: ["badge"],
  bigpicture: ["image"],
  chromewebbadge: ["badge"],
  chromewebicon: ["icon"],
  chromewebimage: ["image"],
  iconurl: ["icon"],
  imageurl: ["image"],
  largeicon: ["icon"],
  photo: ["image"],
  picture: ["image"],
  smallicon: ["badge"],
  // the rest of the notification
  buttons: ["actions"],
  direction: ["dir"],
  id: ["action"],
  language: ["lang"],
  locale: ["lang"],
  threadid: ["tag"],
  webbuttons: ["actions"],
  // data
  additionaldata: ["data"],
  custom: ["data"],
  extra: ["data"],
  payload: ["data"],
  // how and when
  at: ["scheduleAt"],
  collapseid: ["collapseKey"],
  deliverat: ["scheduleAt"],
  deliverytimeofday: ["scheduleAtLocal"],
  delay: ["scheduleAt"],
  expiration: ["ttlSeconds"],
  expires: ["ttlSeconds", "expiresAt"],
  expiry: ["ttlSeconds", "expiresAt"],
  priority: ["urgency"],
  scheduledat: ["scheduleAt"],
  scheduledfor: ["scheduleAt"],
  sendafter: ["scheduleAt"],
  sendat: ["scheduleAt"],
  timetolive: ["ttlSeconds"],
  ttl: ["ttlSeconds"],
  validateonly: ["dryRun"],
  // target
  audience: ["target"],
  condition: ["target"],
  devicetoken: ["token"],
  devicetokens: ["tokens"],
  externalid: ["userId"],
  includedsegments: ["target"],
  includesubscriptionids: ["tokens", "target"],
  recipients: ["tokens", "target"],
  registrationids: ["tokens", "target"],
  registrationtoken: ["token"],
  registrationtokens: ["tokens"],
  segment: ["topic", "target"],
  to: ["target"],
  token: ["target"],
  tokens: ["target"],
  topic: ["target"],
  type: ["kind"],
  uid: ["userId"],
  user: ["userId"],
};

/** Nobody means a name of ours with a longer one. */
const comparedCharacters = 40;

/**
 * @param field that there is not
 * @param known fields of the object that it stands in
 * @returns one of `known`, or null: none resembles it
 */
export function meantField(field: string, known: readonly string[]): string | null {
  if (field.length > comparedCharacters) return null;
  const written = plain(field);
  const nearest = nearestName(written, known.map(plain));
  const elsewhere = Object.hasOwn(namesElsewhere, written) ? namesElsewhere[written] : undefined;
  return (
    known.find((name) => plain(name) === written) ??
    elsewhere?.find((name) => known.includes(name)) ??
    known.find((name) => plain(name) === nearest) ??
    null
  );
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
