/**
 * How browsers show a notification, by system (docs/decisions/0046-previews.md has the sources). No vendor documents how many
 * characters fit. The numbers are measurements of large senders, and depend on fonts and screens. Sources: Batch, "What is the optimal length for every web push notification?" (doc.batch.com);
 * PushOwl, "The ideal character length" (pushowl.com, Windows 10 and 11); "Push Notification Character Limit by OS & Browser"
 * (webpushnotifications.xyz). Where they differ, the smallest is taken.
 */
export type Look = {
  system: System;
  /** As it calls itself in every language. */
  browser: string;
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

export const systems = ["android", "windows", "macos"] as const;
export type System = (typeof systems)[number];

export type LookName =
  | `${"chrome" | "firefox"}-${System}`
  /** On iOS, Safari delivers pushes to installed web apps alone. */
  | "safari-macos";

/** Opened by a finger: with a picture the text has one line left (Android, "BigPictureStyle"). */
const android = {
  system: "android",
  titleCharacters: 35,
  bodyCharacters: 240,
  bodyWithImageCharacters: 45,
  showsIcon: true,
  actions: 2,
  actionCharacters: 15,
} as const;

/** Windows shows two lines of title and four of text (Microsoft, "Toast content"). Two buttons share a row, of 19 characters each (PushOwl). */
const windows = {
  system: "windows",
  showsIcon: true,
  actions: 2,
  actionCharacters: 19,
} as const;

/** macOS draws it: one line of title, buttons in a menu, no large picture. */
const macos = {
  system: "macos",
  titleCharacters: 35,
  bodyCharacters: 88,
  bodyWithImageCharacters: 88,
  showsIcon: true,
  showsImage: false,
  actions: 2,
  actionCharacters: 30,
} as const;

export const looks: Readonly<Record<LookName, Look>> = {
  "chrome-android": { ...android, browser: "Chrome", showsImage: true },
  "firefox-android": { ...android, browser: "Firefox", showsImage: false },
  "chrome-windows": {
    ...windows,
    browser: "Chrome",
    titleCharacters: 64,
    bodyCharacters: 121,
    bodyWithImageCharacters: 121,
    showsImage: true,
  },
  "firefox-windows": {
    ...windows,
    browser: "Firefox",
    titleCharacters: 50,
    bodyCharacters: 200,
    bodyWithImageCharacters: 200,
    showsImage: false,
  },
  "chrome-macos": { ...macos, browser: "Chrome" },
  "firefox-macos": { ...macos, browser: "Firefox" },
  // It shows the site's own icon, whatever a notification brings along, and no buttons.
  "safari-macos": {
    ...macos,
    browser: "Safari",
    titleCharacters: 49,
    bodyCharacters: 103,
    bodyWithImageCharacters: 103,
    showsIcon: false,
    actions: 0,
    actionCharacters: 0,
  },
};

/** The browsers of a system. */
export const looksOf: Readonly<Record<System, readonly [LookName, ...LookName[]]>> = {
  android: ["chrome-android", "firefox-android"],
  windows: ["chrome-windows", "firefox-windows"],
  macos: ["chrome-macos", "firefox-macos", "safari-macos"],
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
  actions: { action: string; title: string }[];
};

/** What of a notification a browser shows. */
export function shownBy(
  look: Look,
  notice: {
    title: string;
    body: string;
    icon: string;
    image: string;
    actions: readonly { action: string; title: string }[];
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
      .map(({ action, title }) => ({ action, title: shown(title, look.actionCharacters).text })),
  };
}

/** Where a text is cut: on a whole system, or in these browsers of it. */
export type Cut = { system: System; browsers: readonly string[] | "all" };

/** Where a notification's title is cut, and where its text is. */
export function cutsOf(
  notice: Parameters<typeof shownBy>[1],
): Readonly<Record<"title" | "body", readonly Cut[]>> {
  const cutsOfPart = (part: "title" | "body") =>
    systems.flatMap((system): Cut[] => {
      const ofSystem = looksOf[system].map((name) => looks[name]);
      const cutting = ofSystem.filter((look) => shownBy(look, notice)[part].isCut);
      if (cutting.length === 0) return [];
      const isAll = cutting.length === ofSystem.length;
      return [{ system, browsers: isAll ? "all" : cutting.map(({ browser }) => browser) }];
    });
  return { title: cutsOfPart("title"), body: cutsOfPart("body") };
}
