import type { Audience } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { Card } from "../../parts/card.tsx";
import { useFormat, useLanguage, useTexts } from "../../texts/use-texts.tsx";
import { languageName } from "../audience/language-name.ts";
import type { AudienceSearch } from "../audience/search.ts";
import classes from "./home.module.css";

type Bar = { key: string; name: string; count: number; search: AudienceSearch };

/** Who can be reached, by what; each figure leads to those whom it counts. */
export const FigureCards = memo(function FigureCards({
  audience,
}: {
  audience: Audience | undefined;
}) {
  const texts = useTexts();
  const { language } = useLanguage();
  const words = texts.audience;
  const {
    byBrowser = [],
    bySystem = [],
    byLanguage = [],
    byPushService = [],
  } = audience ?? ({} satisfies Partial<Audience>);
  const live = { state: "live" } as const;
  const groups: { title: string; bars: Bar[] }[] = [
    {
      title: words.byBrowser,
      bars: byBrowser.map(({ browser, registrations }) => ({
        key: browser,
        name: words.browsers[browser],
        count: registrations,
        search: { ...live, browser },
      })),
    },
    {
      title: words.bySystem,
      bars: bySystem.map(({ system, registrations }) => ({
        key: system,
        name: words.systems[system],
        count: registrations,
        search: { ...live, system },
      })),
    },
    {
      title: words.byLanguage,
      bars: byLanguage.slice(0, 8).map((each) => ({
        key: each.language,
        name: languageName(each.language, texts, language),
        count: each.registrations,
        search: { ...live, language: each.language },
      })),
    },
    {
      title: words.byPushService,
      bars: byPushService.map(({ pushService, registrations }) => ({
        key: pushService,
        name: words.pushServices[pushService],
        count: registrations,
        search: { ...live, pushService },
      })),
    },
  ];
  // Without anybody there is nothing to compare.
  if (audience?.live === 0) return null;
  return (
    <div className={classes.figures}>
      {groups.map(({ title, bars }) => (
        <Card key={title} title={title}>
          <Bars bars={bars} of={audience?.live} />
        </Card>
      ))}
    </div>
  );
});

function Bars({ bars, of }: { bars: readonly Bar[]; of: number | undefined }) {
  const format = useFormat();
  if (of === undefined) return <div className={classes.barsWaiting} />;
  return (
    <ul className={classes.bars}>
      {bars.map(({ key, name, count, search }) => (
        <li key={key}>
          <Link to="/publico" search={search} className={classes.bar}>
            <span className={classes.name}>{name}</span>
            <span>
              {format.number(count)}{" "}
              <span className={classes.soft}>({format.percent(count / of)})</span>
            </span>
            <span className={classes.track}>
              <span
                className={classes.fill}
                style={{ display: "block", inlineSize: `${(100 * count) / of}%` }}
              />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
