import { Skeleton, Tabs } from "@mantine/core";
import type { Audience } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { Track } from "../../charts/track.tsx";
import { Card } from "../../parts/card.tsx";
import { useFormat, useLanguage, useTexts } from "../../texts/use-texts.tsx";
import { languageName } from "../audience/language-name.ts";
import type { AudienceSearch } from "../audience/search.ts";
import classes from "./home.module.css";

type Bar = { key: string; name: string; count: number; search: AudienceSearch };

const mostLanguages = 8;

/** The subscribers by browser, system, language and push service. Each line leads to the list of those that it counts. */
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
  const live = { state: "live" } as const;
  return [
    {
      name: "browser",
      title: words.list.browser,
      bars: (audience?.byBrowser ?? []).map(({ browser, registrations }) => ({
        key: browser,
        name: words.browsers[browser],
        count: registrations,
        search: { ...live, browser },
      })),
    },
    {
      name: "system",
      title: words.list.system,
      bars: (audience?.bySystem ?? []).map(({ system, registrations }) => ({
        key: system,
        name: words.systems[system],
        count: registrations,
        search: { ...live, system },
      })),
    },
    {
      name: "language",
      title: words.list.language,
      bars: (audience?.byLanguage ?? []).slice(0, mostLanguages).map((each) => ({
        key: each.language,
        name: languageName(each.language, texts, language),
        count: each.registrations,
        search: { ...live, language: each.language },
      })),
    },
    {
      name: "push-service",
      title: words.list.pushService,
      bars: (audience?.byPushService ?? []).map(({ pushService, registrations }) => ({
        key: pushService,
        name: words.pushServices[pushService],
        count: registrations,
        search: { ...live, pushService },
      })),
    },
  ];
}

function Bars({ bars, of }: { bars: readonly Bar[]; of: number }) {
  const format = useFormat();
  return (
    <ul className={classes.bars}>
      {bars.map(({ key, name, count, search }) => (
        <li key={key}>
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
