/**
 * How much of a notification browsers show. No vendor documents it: the numbers are what those measured who send many,
 * and depend on fonts and screens, so the previews are estimates. Sources: Batch, "What is the optimal length for every
 * web push notification?" (doc.batch.com); PushOwl, "The ideal character length" (pushowl.com, Windows 10 and 11);
 * "Push Notification Character Limit by OS & Browser" (webpushnotifications.xyz). Where they differ, the smallest is
 * taken. That Windows shows two lines of title and four of text is Microsoft's own ("Toast content", text elements).
 */
export type Look = {
  name: LookName;
  /** Characters that are shown before an ellipsis. */
  titleCharacters: number;
  bodyCharacters: number;
  /** With a large picture some show less. */
  bodyWithImageCharacters: number;
  showsIcon: boolean;
  showsImage: boolean;
  /** How many buttons there are at most. */
  actions: number;
  actionCharacters: number;
};

export const lookNames = [
  "chrome-windows",
  "chrome-macos",
  "chrome-android",
  "firefox",
  "safari",
] as const;
export type LookName = (typeof lookNames)[number];

export const looks: Readonly<Record<LookName, Look>> = {
  // Both of its buttons stand in a row of 19 characters each (PushOwl).
  "chrome-windows": {
    name: "chrome-windows",
    titleCharacters: 64,
    bodyCharacters: 121,
    bodyWithImageCharacters: 121,
    showsIcon: true,
    showsImage: true,
    actions: 2,
    actionCharacters: 19,
  },
  // macOS draws it: one line of title; buttons are behind "Options"; a large picture is not shown.
  "chrome-macos": {
    name: "chrome-macos",
    titleCharacters: 35,
    bodyCharacters: 88,
    bodyWithImageCharacters: 88,
    showsIcon: true,
    showsImage: false,
    actions: 2,
    actionCharacters: 30,
  },
  // Opened, with a picture the text has one line left (Android, "BigPictureStyle").
  "chrome-android": {
    name: "chrome-android",
    titleCharacters: 35,
    bodyCharacters: 240,
    bodyWithImageCharacters: 45,
    showsIcon: true,
    showsImage: true,
    actions: 2,
    actionCharacters: 15,
  },
  // On Windows and Linux; no large picture, and no buttons but in its latest versions.
  firefox: {
    name: "firefox",
    titleCharacters: 50,
    bodyCharacters: 200,
    bodyWithImageCharacters: 200,
    showsIcon: true,
    showsImage: false,
    actions: 0,
    actionCharacters: 0,
  },
  // It shows the site's own icon, whatever a notification brings along.
  safari: {
    name: "safari",
    titleCharacters: 49,
    bodyCharacters: 103,
    bodyWithImageCharacters: 103,
    showsIcon: false,
    showsImage: false,
    actions: 0,
    actionCharacters: 0,
  },
};

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A text as far as it is shown: whole characters, as people count them, with an ellipsis in the place of the rest. */
export function shown(text: string, most: number): { text: string; isCut: boolean } {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  const graphemes = Array.from(characters.segment(flat), ({ segment }) => segment);
  if (graphemes.length <= most) return { text: flat, isCut: false };
  return {
    text: `${graphemes
      .slice(0, Math.max(0, most - 1))
      .join("")
      .trimEnd()}…`,
    isCut: true,
  };
}

export type ShownNotice = {
  title: ReturnType<typeof shown>;
  body: ReturnType<typeof shown>;
  icon: string | null;
  image: string | null;
  actions: string[];
};

/** What of a notification a browser shows. */
export function shownBy(
  look: Look,
  notice: {
    title: string;
    body: string;
    icon: string;
    image: string;
    actions: readonly { title: string }[];
  },
): ShownNotice {
  const image = look.showsImage && notice.image !== "" ? notice.image : null;
  return {
    title: shown(notice.title, look.titleCharacters),
    body: shown(notice.body, image === null ? look.bodyCharacters : look.bodyWithImageCharacters),
    icon: look.showsIcon && notice.icon !== "" ? notice.icon : null,
    image,
    actions: notice.actions
      .filter(({ title }) => title.trim() !== "")
      .slice(0, look.actions)
      .map(({ title }) => shown(title, look.actionCharacters).text),
  };
}
