import { Paper, Skeleton } from "@mantine/core";
import type { MessageProgress } from "@sineta/protocol";
import { lazy, Suspense, useId, useState } from "react";
import cards from "../../parts/card.module.css";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";

const Engineering = lazy(() =>
  import("./engineering.tsx").then((module) => ({ default: module.Engineering })),
);

/** Push services, times and ids: folded, and loaded when the operator opens it. */
export function EngineeringCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Paper component="section" withBorder radius="lg" className={cards.card} aria-labelledby={id}>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={classes.engineering}>
          <h2 id={id} className={classes.engineeringTitle}>
            {notices.engineering}
          </h2>
        </summary>
        {isOpen && (
          <Suspense fallback={<Skeleton height="12rem" />}>
            <Engineering notice={notice} />
          </Suspense>
        )}
      </details>
    </Paper>
  );
}
