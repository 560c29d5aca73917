import type { base, Texts } from "./pt/index.ts";
import type { Language } from "./language.ts";

type Base = typeof base;
/** Words of one part of the console, which come with its pages. */
export type Area = Exclude<keyof Texts, keyof Base>;

export const bases: Readonly<Record<Language, () => Promise<Base>>> = {
  "pt-BR": () => import("./pt/index.ts").then(({ base }) => base),
  en: () => import("./en/index.ts").then(({ base }) => base),
  es: () => import("./es/index.ts").then(({ base }) => base),
};

export const areas: Readonly<
  Record<Language, { readonly [Name in Area]: () => Promise<Texts[Name]> }>
> = {
  "pt-BR": {
    audience: () => import("./pt/audience.ts").then(({ audience }) => audience),
    compose: () => import("./pt/compose.ts").then(({ compose }) => compose),
    delivery: () => import("./pt/delivery.ts").then(({ delivery }) => delivery),
    doctor: () => import("./pt/doctor.ts").then(({ doctor }) => doctor),
    firstRun: () => import("./pt/first-run.ts").then(({ firstRun }) => firstRun),
    install: () => import("./pt/install.ts").then(({ install }) => install),
    notices: () => import("./pt/notices.ts").then(({ notices }) => notices),
    settings: () => import("./pt/settings.ts").then(({ settings }) => settings),
  },
  en: {
    audience: () => import("./en/audience.ts").then(({ audience }) => audience),
    compose: () => import("./en/compose.ts").then(({ compose }) => compose),
    delivery: () => import("./en/delivery.ts").then(({ delivery }) => delivery),
    doctor: () => import("./en/doctor.ts").then(({ doctor }) => doctor),
    firstRun: () => import("./en/first-run.ts").then(({ firstRun }) => firstRun),
    install: () => import("./en/install.ts").then(({ install }) => install),
    notices: () => import("./en/notices.ts").then(({ notices }) => notices),
    settings: () => import("./en/settings.ts").then(({ settings }) => settings),
  },
  es: {
    audience: () => import("./es/audience.ts").then(({ audience }) => audience),
    compose: () => import("./es/compose.ts").then(({ compose }) => compose),
    delivery: () => import("./es/delivery.ts").then(({ delivery }) => delivery),
    doctor: () => import("./es/doctor.ts").then(({ doctor }) => doctor),
    firstRun: () => import("./es/first-run.ts").then(({ firstRun }) => firstRun),
    install: () => import("./es/install.ts").then(({ install }) => install),
    notices: () => import("./es/notices.ts").then(({ notices }) => notices),
    settings: () => import("./es/settings.ts").then(({ settings }) => settings),
  },
};
