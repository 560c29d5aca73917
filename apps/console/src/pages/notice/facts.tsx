import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

/** A list of names and values. A fact without a value is left out. */
export function Facts({
  facts,
  className,
}: {
  facts: readonly Fact[];
  className: string | undefined;
}) {
  return (
    <dl className={className}>
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
