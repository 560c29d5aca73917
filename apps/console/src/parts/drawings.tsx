import type { ReactNode } from "react";

/** A bell hangs by the middle of its top, (0, 0), and is 20 wide and 18 high without its clapper. */
const bell = "M0 0c-5 0-7 3.6-7 8 0 5-1 7-3 9.500h20c-2-2.5-3-4.5-3-9.5 0-4.4-2-8-7-8z";
const clapper = "M-2.6 20.500a2.7 2.7 0 0 0 5.2 0";

/** One family: round strokes of ink, one thing of brass, and soft ground. Each is 96 x 72. */
const drawings = {
  /** A hand bell that stands still. */
  bell: (
    <>
      <Ground />
      <path d="M20 61h56" />
      <rect x="44" y="11" width="8" height="19" rx="4" fill="var(--card)" />
      <path
        d="M30 61c0-4 5-6 6.5-13C38 39 39 30 48 30s10 9 11.5 18C61 55 66 57 66 61z"
        fill="var(--brass-bright)"
      />
      <path d="M36.5 49h23" />
      <path d="M66 24h6l-6 7h6M76 12h4.500L76 17.500h4.5" />
    </>
  ),
  /** A magnifier over where a bell would be. */
  search: (
    <>
      <Ground />
      <circle cx="43" cy="32" r="21" fill="var(--card)" />
      <g transform="translate(43 21)">
        <path d={bell} pathLength="44" strokeDasharray="1.6 2.4" />
        <path d={clapper} />
      </g>
      <path d="M58 47l4 4" />
      <path d="M64 53l10 10" strokeWidth="9" />
      <path d="M64 53l10 10" strokeWidth="5" stroke="var(--brass-bright)" />
    </>
  ),
  /** A page with its bell. */
  browser: (
    <>
      <Ground />
      <rect x="15" y="13" width="62" height="46" rx="6" fill="var(--card)" />
      <path d="M15 24h62M22 18.500h.01M28 18.500h.01" />
      <path d="M24 34h24M24 42h16" stroke="var(--line)" strokeWidth="4" />
      <circle cx="71" cy="52" r="13" fill="var(--brass-bright)" />
      <g transform="translate(71 43.5) scale(.7)" strokeWidth="2.6">
        <path d={bell} />
        <path d={clapper} />
      </g>
    </>
  ),
  /** Labels on their strings. */
  tag: (
    <>
      <Ground />
      <g transform="rotate(-20 34 34)">
        <path d="M30 34l12-13h28a4 4 0 0 1 4 4v18a4 4 0 0 1-4 4H42z" fill="var(--brass-bright)" />
      </g>
      <g transform="rotate(8 34 36)">
        <path d="M30 36l12-13h30a4 4 0 0 1 4 4v18a4 4 0 0 1-4 4H42z" fill="var(--card)" />
        <path d="M53 32h14M53 40h8" />
        <circle cx="42" cy="36" r="3" />
        <path d="M39 36c-8 0-9-8-16-7s-7 9-13 8" />
      </g>
    </>
  ),
  /** A sheet and a pencil. */
  draft: (
    <>
      <Ground />
      <path
        d="M26 14a4 4 0 0 1 4-4h20l12 12v36a4 4 0 0 1-4 4H30a4 4 0 0 1-4-4z"
        fill="var(--card)"
      />
      <path d="M50 10v8a4 4 0 0 0 4 4h8M34 30h16M34 39h10" />
      <path d="M34 51c3-4 5-4 6-1s3 3 6 0 4-2 6 0" />
      <g transform="translate(53 51) rotate(-48)">
        <path d="M0 0l9-5h22a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3H9z" fill="var(--brass-bright)" />
        <path d="M9-5v10M27-5v10" />
      </g>
    </>
  ),
  key: (
    <>
      <Ground />
      <g transform="rotate(-24 48 36)">
        <path d="M40 32h38l4 4-4 4h-3v5h-6v-5h-4v7h-6v-7H40z" fill="var(--card)" />
        <circle cx="30" cy="36" r="14" fill="var(--brass-bright)" />
        <circle cx="26" cy="36" r="4" fill="var(--card)" />
      </g>
    </>
  ),
  /** A picture on a nail. */
  picture: (
    <>
      <Ground />
      <path d="M34 20L48 7l14 13" />
      <rect x="18" y="20" width="60" height="42" rx="5" fill="var(--card)" />
      <path d="M18 54l16-15 12 11 9-8 23 14v1a5 5 0 0 1-5 5H23a5 5 0 0 1-5-5z" fill="var(--soft)" />
      <circle cx="62" cy="34" r="6" fill="var(--brass-bright)" />
    </>
  ),
  letter: (
    <>
      <Ground />
      <rect x="17" y="17" width="62" height="42" rx="5" fill="var(--card)" />
      <path d="M19 57l20-18M77 57L57 39" />
      <path d="M18 20l25 20a8 8 0 0 0 10 0l25-20" fill="var(--card)" />
      <circle cx="48" cy="42" r="8" fill="var(--brass-bright)" />
    </>
  ),
  /** Bars that are to come. */
  chart: (
    <>
      <Ground />
      <path d="M18 60h60" />
      <rect x="26" y="46" width="11" height="14" rx="2" fill="var(--brass-bright)" />
      <g strokeDasharray="2.5 4">
        <path d="M43 60V36a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v24M60 60V20a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v40" />
      </g>
    </>
  ),
} satisfies Record<string, ReactNode>;

export type DrawingName = keyof typeof drawings;

function Ground() {
  return <circle cx="48" cy="36" r="34" fill="var(--soft)" stroke="none" />;
}

/** Screen readers leave it out: words stand below it. */
export function Drawing({ name }: { name: DrawingName }) {
  return (
    <svg
      viewBox="0 0 96 72"
      width="96"
      height="72"
      fill="none"
      stroke="var(--ink)"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[name]}
    </svg>
  );
}
