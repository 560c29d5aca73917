import { Button, Skeleton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";
import type { Asked } from "./registrations.tsx";

const Registrations = lazy(() =>
  import("./registrations.tsx").then((module) => ({ default: module.Registrations })),
);

/** The registrations behind one reason, once the operator asks for them. */
export function RegistrationsOf(asked: Asked) {
  const { notices } = useTexts();
  const [isShown, setShown] = useState(false);
  if (isShown) {
    return (
      <Suspense fallback={<Skeleton height="9rem" />}>
        <Registrations {...asked} />
      </Suspense>
    );
  }
  return (
    <Button
      variant="default"
      className={`${classes.fit} ${classes.touch}`}
      onClick={() => setShown(true)}
    >
      {notices.showRegistrations}
    </Button>
  );
}
