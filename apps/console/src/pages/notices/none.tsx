import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { Empty } from "../../parts/empty.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./notices.module.css";
import { hasOnlySigns, type NoticesSearch } from "./search.ts";

/** Nothing has been published in the project. */
export function NoneYet() {
  const { notices } = useTexts();
  const project = useProject();
  return (
    <div className={classes.none}>
      <Empty
        drawing="bell"
        headingLevel={2}
        sentence={notices.noneYet}
        action={
          project.may("editor") && (
            <Button renderRoot={(props) => <Link to="/avisos/novo" {...props} />}>
              {notices.writeFirst}
            </Button>
          )
        }
      />
    </div>
  );
}

/** There are notices, but none that passes the filter. */
export function NoneFound({ search }: { search: NoticesSearch }) {
  const { frame, notices } = useTexts();
  const navigate = useNavigate({ from: "/avisos" });
  return (
    <div className={classes.none}>
      <Empty
        drawing="search"
        headingLevel={2}
        sentence={hasOnlySigns(search) ? notices.onlySigns : notices.noneFound}
        action={
          <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
            {frame.clearFilters}
          </Button>
        }
      />
    </div>
  );
}
