import type { RegistrationStory } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { Copy } from "../../parts/copy.tsx";
import { When } from "../../parts/when.tsx";
import { useLanguage, useTexts } from "../../texts/use-texts.tsx";
import { languageName } from "@sineta/protocol/words/language-name";
import classes from "./registration.module.css";

/** What is known of a registration; never its endpoint, nor its keys. */
export function Details({ story }: { story: RegistrationStory }) {
  const texts = useTexts();
  const { audience } = texts;
  const { list, registration } = audience;
  const { language } = useLanguage();
  const { userId, locale, topics } = story;
  const tongue = languageName(story.language, audience.languages, language);
  const rows: { name: string; value: ReactNode }[] = [
    { name: registration.state, value: audience.states[story.state] },
    { name: list.browser, value: audience.browsers[story.browser] },
    { name: list.system, value: audience.systems[story.system] },
    { name: list.language, value: locale === undefined ? tongue : `${tongue} (${locale})` },
    { name: registration.timeZone, value: story.timeZone ?? audience.languages.unknown },
    { name: list.pushService, value: audience.pushServices[story.pushService] },
    {
      name: registration.origin,
      value: story.origin === "" ? registration.forgotten : story.origin,
    },
    {
      name: registration.user,
      value:
        userId === undefined ? (
          registration.noTopics
        ) : (
          <Link to="/publico" search={{ user: userId }}>
            <bdi>{userId}</bdi>
          </Link>
        ),
    },
    {
      name: registration.topics,
      value:
        topics.length === 0
          ? registration.noTopics
          : topics.map(({ name, displayName }, index) => (
              <Fragment key={name}>
                {index > 0 && ", "}
                <Link to="/publico" search={{ topic: name }}>
                  <bdi>{displayName}</bdi>
                </Link>
              </Fragment>
            )),
    },
    { name: list.registeredAt, value: <When key="registered" at={story.registeredAt} /> },
    { name: list.confirmedAt, value: <When key="confirmed" at={story.confirmedAt} /> },
    {
      name: registration.token,
      value: (
        <>
          <code>{story.token}</code>
          <div>
            <Copy value={story.token} />
          </div>
        </>
      ),
    },
  ];
  return (
    <dl className={classes.details}>
      {rows.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
