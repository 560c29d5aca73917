import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Card } from "../../parts/card.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { installationQuery } from "../../project/settings.ts";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { BellLooks } from "./bell-looks.tsx";
import { twoNamesOf } from "./two-names.ts";
import classes from "./install-page.module.css";
import { SiteCheckCard } from "./site-check-card.tsx";
import { pagesFirst, type BellColors } from "./snippet.ts";
import { Snippets } from "./snippets.tsx";

/** How the bell gets onto a site: where it may be, how it looks, what to write, and whether all is there. */
export function InstallPage() {
  const { frame, install, firstRun } = useTexts();
  const { data, error, refetch } = useQuery(installationQuery(useProject()));
  const [colors, setColors] = useState<BellColors>({});
  const names = twoNamesOf(data?.origins ?? []);
  return (
    <Page
      title={frame.install}
      actions={
        <Button component={Link} to="/comecar" variant="default">
          {firstRun.title}
        </Button>
      }
    >
      <Problem error={error} onRetry={() => void refetch()} />
      <Card title={install.origins} help={install.originsWhat}>
        {data === undefined ? (
          <Skeleton height={60} />
        ) : (
          <>
            <ul className={classes.origins}>
              {data.origins.map((origin) => (
                <li key={origin}>
                  <code>{origin}</code>
                  <Copy value={origin} />
                </li>
              ))}
            </ul>
            <p className={classes.soft}>
              {data.originsSource === "environment"
                ? install.originsFromEnvironment
                : install.originsFromSettings}{" "}
              {!data.publicUrlIsSet && install.addressNotSet}
            </p>
            {names !== null && <p className={classes.soft}>{install.twoNames(names)}</p>}
          </>
        )}
      </Card>
      <Card title={install.bell} help={install.bellWhat}>
        <BellLooks colors={colors} onChange={setColors} />
      </Card>
      <Card title={install.snippet}>
        {data === undefined ? (
          <Skeleton height={420} />
        ) : (
          <Snippets installation={data} colors={colors} />
        )}
      </Card>
      <SiteCheckCard origins={data === undefined ? [] : pagesFirst(data)} />
    </Page>
  );
}
