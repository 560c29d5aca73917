import { lazy, Suspense, useSyncExternalStore } from "react";
import { hasEnded, subscribeToEnded } from "./ended.ts";

// Dialogs are loaded when the first one comes up.
const LogInAgain = lazy(() =>
  import("./log-in-again.tsx").then((module) => ({ default: module.LogInAgain })),
);

/** Asks for the log-in once the session has ended, on every page that needs one. */
export function SessionOver() {
  const isOver = useSyncExternalStore(subscribeToEnded, hasEnded);
  if (!isOver) return null;
  return (
    <Suspense>
      <LogInAgain />
    </Suspense>
  );
}
