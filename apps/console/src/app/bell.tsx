import { mdiBell } from "@mdi/js";

/** The mark of the house. Screen readers leave it out: its name stands beside it. */
export function Bell({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <path d={mdiBell} fill="var(--brass-bright)" />
    </svg>
  );
}
