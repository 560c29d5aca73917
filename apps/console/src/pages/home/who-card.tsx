import { Skeleton, Tabs } from "@mantine/core";
import type { Audience } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { Track } from "../../charts/track.tsx";
import { Card } from "../../parts/card.tsx";
import { useFormat, useLanguage, useTexts } from "../../texts/use-texts.tsx";
import { languageName } from "@sineta/protocol/words/language-name";
import type { AudienceSearch } from "../audience/search.ts";
import classes from "./home.module.css";

type Bar = { name: string; count: number; search: AudienceSearch };

const mostLanguages = 8;

/** Counts the subscribers by browser, system, language and push service. Each line links to the list of its subscribers. */
export const WhoCard = memo(function WhoCard({
  audience,
}: {
  /** Undefined until it is known. */
  audience: Audience | undefined;
}) {
  const { audience: words } = useTexts();
  const groups = useGroups(audience);
  return (
    <Card title={words.whoTheyAre}>
      {audience === undefined && <Skeleton h="14rem" />}
      {audience !== undefined && (
        <Tabs defaultValue="browser" keepMounted={false} classNames={{ tab: classes.tab }}>
          <Tabs.List aria-label={words.whoTheyAre}>
            {groups.map(({ name, title }) => (
              <Tabs.Tab key={name} value={name}>
                {title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {groups.map(({ name, bars }) => (
            <Tabs.Panel key={name} value={name} pt="sm">
              <Bars bars={bars} of={audience.live} />
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </Card>
  );
});

function useGroups(audience: Audience | undefined): { name: string; title: string; bars: Bar[] }[] {
  const texts = useTexts();
  const { language } = useLanguage();
  const words = texts.audience;
  return [
    {
      name: "browser",
      title: words.list.browser,
      bars: barsOf(audience?.byBrowser, ({ browser }) => [words.browsers[browser], { browser }]),
    },
    {
      name: "system",
      title: words.list.system,
      bars: barsOf(audience?.bySystem, ({ system }) => [words.systems[system], { system }]),
    },
    {
      name: "language",
      title: words.list.language,
      bars: barsOf(audience?.byLanguage.slice(0, mostLanguages), (each) => [
        languageName(each.language, texts.audience.languages, language),
        { language: each.language },
      ]),
    },
    {
      name: "push-service",
      title: words.list.pushService,
      bars: barsOf(audience?.byPushService, ({ pushService }) => [
        words.pushServices[pushService],
        { pushService },
      ]),
    },
  ];
}

/** @param say the line's name, and what finds its subscribers among all */
function barsOf<Row extends { registrations: number }>(
  rows: readonly Row[] = [],
  say: (row: Row) => [name: string, search: AudienceSearch],
): Bar[] {
  return rows.map((row) => {
    const [name, search] = say(row);
    return { name, count: row.registrations, search: { state: "live", ...search } };
  });
}

function Bars({ bars, of }: { bars: readonly Bar[]; of: number }) {
  const format = useFormat();
  return (
    <ul className={classes.bars}>
      {bars.map(({ name, count, search }) => (
        <li key={name}>
          <Link to="/publico" search={search} className={classes.bar}>
            <span className={classes.name}>{name}</span>
            <Track share={count / of} />
            <span className={classes.count}>{format.number(count)}</span>
            <span className={classes.share}>{format.percent(count / of)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
