import { locale, texts } from "../texts.ts";

const steps = [
  { unit: "day", ms: 24 * 60 * 60 * 1000 },
  { unit: "hour", ms: 60 * 60 * 1000 },
  { unit: "minute", ms: 60 * 1000 },
] as const;

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** How long ago that was, in words: "há 5 minutos", "ontem"; "agora" within the first minute. */
export function timeAgo(atMs: number, nowMs: number): string {
  const step = steps.find(({ ms }) => nowMs - atMs >= ms);
  return step ? relative.format(-Math.floor((nowMs - atMs) / step.ms), step.unit) : texts.justNow;
}
