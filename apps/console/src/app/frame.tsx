import { UnstyledButton } from "@mantine/core";
import { mdiMenu } from "@mdi/js";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useLinkProps, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../parts/icon.tsx";
import { installationQuery } from "../project/settings.ts";
import { useProject } from "../session/operator.ts";
import { SessionOver } from "../session/session-over.tsx";
import { useTexts } from "../texts/use-texts.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Bell } from "./bell.tsx";
import classes from "./frame.module.css";
import { Navigation } from "./navigation.tsx";
import { OfflineNotice } from "./offline-notice.tsx";

// Dialogs are loaded when the first one comes up.
const SideDialog = lazy(() =>
  import("../parts/dialog.tsx").then((module) => ({ default: module.SideDialog })),
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

/** What stands around every page behind log-in: at its side on a desk, above it on a phone. */
export function Frame() {
  const { frame } = useTexts();
  const home = useLinkProps({ to: "/" });
  const path = useLocation({ select: ({ pathname }) => pathname });
  /** The page over which the menu was opened: on another one it is closed. */
  const [openOver, setOpenOver] = useState<string | null>(null);
  const isOpen = openOver === path;
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        {frame.skipToContent}
      </a>
      <header className={classes.side}>
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
        {/* The menu says where one is. */}
        <a {...home} aria-current={undefined} className={classes.product}>
          <Bell size={24} />
          <span className={classes.names}>
            <span className={classes.name}>{frame.productName}</span> <ProjectName />
          </span>
        </a>
        <div className={classes.pages}>
          <Navigation />
        </div>
        <AccountMenu />
      </header>
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
      </Suspense>
      <SessionOver />
      <main id="content" className={classes.main}>
        <OfflineNotice />
        <Outlet />
      </main>
    </div>
  );
}
