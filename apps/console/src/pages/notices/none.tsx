import { Button } from "@mantine/core";
import { mdiBellOutline, mdiMagnify } from "@mdi/js";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Icon } from "../../parts/icon.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./notices.module.css";
import { hasOnlySigns, type NoticesSearch } from "./search.ts";

function None({
  icon,
  title,
  what,
  children,
}: {
  icon: string;
  title: string;
  what: string;
  children?: ReactNode;
}) {
  return (
    <section className={classes.none}>
      <Icon path={icon} size={40} />
      <h2>{title}</h2>
      <p>{what}</p>
      {children}
    </section>
  );
}

/** Nothing has been published in the project. */
export function NoneYet() {
  const { notices } = useTexts();
  const project = useProject();
  return (
    <None icon={mdiBellOutline} title={notices.noneYet} what={notices.noneYetWhat}>
      {project.may("editor") && (
        <Button component={Link} to="/avisos/novo" className={classes.touch}>
          {notices.writeFirst}
        </Button>
      )}
    </None>
  );
}

/** There are notices, but none that passes the filter. */
export function NoneFound({ search }: { search: NoticesSearch }) {
  const { notices } = useTexts();
  const navigate = useNavigate({ from: "/avisos" });
  const what = hasOnlySigns(search) ? notices.onlySignsWhat : notices.noneFoundWhat;
  return (
    <None icon={mdiMagnify} title={notices.noneFound} what={what}>
      <Button
        variant="default"
        className={classes.touch}
        onClick={() => void navigate({ search: {}, replace: true })}
      >
        {notices.clearFilters}
      </Button>
    </None>
  );
}
