import { UnstyledButton } from "@mantine/core";
import { mdiMenu } from "@mdi/js";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { Icon } from "../parts/icon.tsx";
import { installationQuery } from "../project/settings.ts";
import { hasEnded, subscribeToEnded } from "../session/ended.ts";
import { useProject } from "../session/operator.ts";
import { useTexts } from "../texts/use-texts.tsx";
import { AccountMenu } from "./account-menu.tsx";
import classes from "./frame.module.css";
import { Navigation } from "./navigation.tsx";
import { OfflineNotice } from "./offline-notice.tsx";

// Dialogs are loaded when the first one comes up.
const SideDialog = lazy(() =>
  import("../parts/dialog.tsx").then((module) => ({ default: module.SideDialog })),
);
const LogInAgain = lazy(() =>
  import("../session/log-in-again.tsx").then((module) => ({ default: module.LogInAgain })),
);

/** As people call it: a project that nobody has named yet is told by nothing. */
function ProjectName() {
  const project = useProject();
  const { data } = useQuery(installationQuery(project));
  if (data === undefined || data.displayName === "") return null;
  return (
    <span className={classes.project} dir="auto">
      {data.displayName}
    </span>
  );
}

/** What stands around every page behind log-in: beside it on a desk, above it on a phone. */
export function Frame() {
  const { frame } = useTexts();
  const path = useLocation({ select: ({ pathname }) => pathname });
  /** The page over which the menu was opened: on another one it is closed. */
  const [openOver, setOpenOver] = useState<string | null>(null);
  const isOpen = openOver === path;
  const [wasOpened, setWasOpened] = useState(false);
  const isOver = useSyncExternalStore(subscribeToEnded, hasEnded);
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        {frame.skipToContent}
      </a>
      <header className={classes.bar}>
        <UnstyledButton
          className={classes.burger}
          aria-label={frame.openNavigation}
          aria-expanded={isOpen}
          onClick={() => {
            setWasOpened(true);
            setOpenOver(path);
          }}
        >
          <Icon path={mdiMenu} size={24} />
        </UnstyledButton>
        <p className={classes.product}>
          <img src="/painel/icon.svg" alt="" width="28" height="28" />
          {frame.productName}
          <ProjectName />
        </p>
        <AccountMenu />
      </header>
      <aside className={classes.aside}>
        <Navigation />
      </aside>
      <Suspense>
        {wasOpened && (
          <SideDialog
            isOpen={isOpen}
            onClose={() => setOpenOver(null)}
            title={frame.productName}
            position="left"
            size="17rem"
          >
            <Navigation />
          </SideDialog>
        )}
        {isOver && <LogInAgain />}
      </Suspense>
      <main id="content" className={classes.main}>
        <OfflineNotice />
        <Outlet />
      </main>
    </div>
  );
}
