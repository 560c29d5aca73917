import { Button, NativeSelect, TextInput } from "@mantine/core";
import type { Audience, TopicList } from "@sineta/protocol";
import { useNavigate } from "@tanstack/react-router";
import { Card } from "../../parts/card.tsx";
import { topicLabels } from "../../project/use-topics.ts";
import { valueOf } from "../../session/value-of.ts";
import { useLanguage, useTexts } from "../../texts/use-texts.tsx";
import { languageName } from "@sineta/protocol/words/language-name";
import {
  browsers,
  pushServices,
  states,
  systems,
  validateAudienceSearch,
  type AudienceSearch,
} from "./search.ts";
import classes from "./audience.module.css";

/** What is shown. Each choice stands in the address at once; what is typed, when it is done. */
export function Filters({
  search,
  audience,
  topics,
  onChange,
}: {
  search: AudienceSearch;
  /** Knows which languages there are. */
  audience: Audience | undefined;
  topics: TopicList["topics"];
  onChange: (search: AudienceSearch) => void;
}) {
  const texts = useTexts();
  const { list } = texts.audience;
  const { language } = useLanguage();
  const navigate = useNavigate();
  const set = (name: keyof AudienceSearch, value: string) =>
    onChange(validateAudienceSearch({ ...search, [name]: value }));
  const present = audience?.byLanguage.map((each) => each.language) ?? [];
  // Those that stand in the address are there, also before anything is known.
  const languages = [...new Set([...present, ...(search.language ? [search.language] : [])])];
  const named = topics.map(({ name }) => name);
  const labels = topicLabels(topics);
  const topicNames = [...new Set([...named, ...(search.topic ? [search.topic] : [])])];
  const { audience: words } = texts;
  const choices: {
    name: keyof AudienceSearch;
    label: string;
    options: { value: string; label: string }[];
  }[] = [
    { name: "state", label: list.state, options: optionsOf(states, words.states) },
    { name: "browser", label: list.browser, options: optionsOf(browsers, words.browsers) },
    { name: "system", label: list.system, options: optionsOf(systems, words.systems) },
    {
      name: "language",
      label: list.language,
      options: languages.map((tag) => ({
        value: tag,
        label: languageName(tag, texts.audience.languages, language),
      })),
    },
    {
      name: "pushService",
      label: list.pushService,
      options: optionsOf(pushServices, words.pushServices),
    },
    {
      name: "topic",
      label: list.topic,
      options: topicNames.map((name) => ({ value: name, label: labels.get(name) ?? name })),
    },
  ];
  return (
    <Card
      title={list.filters}
      actions={
        Object.keys(search).length > 0 && (
          <Button variant="subtle" size="compact-md" onClick={() => onChange({})}>
            {texts.frame.clearFilters}
          </Button>
        )
      }
    >
      <div className={classes.filters}>
        {choices.map(({ name, label, options }) => (
          <NativeSelect
            key={name}
            label={label}
            value={search[name] ?? ""}
            onChange={(event) => set(name, event.currentTarget.value)}
            data={[{ value: "", label: list.all }, ...options]}
          />
        ))}
        <form
          className={classes.user}
          onSubmit={(event) => {
            event.preventDefault();
            set("user", valueOf(new FormData(event.currentTarget), "user"));
          }}
        >
          <TextInput
            name="user"
            label={list.user}
            defaultValue={search.user ?? ""}
            onBlur={(event) => {
              if (event.currentTarget.value !== (search.user ?? "")) {
                set("user", event.currentTarget.value);
              }
            }}
          />
        </form>
        <form
          className={classes.open}
          onSubmit={(event) => {
            event.preventDefault();
            const token = valueOf(new FormData(event.currentTarget), "token").trim();
            if (token !== "") void navigate({ to: "/publico/$token", params: { token } });
          }}
        >
          <TextInput
            className={classes.token}
            name="token"
            label={list.token}
            autoComplete="off"
            rightSectionWidth="auto"
          />
          <Button type="submit" variant="default" h="2.75rem">
            {list.openToken}
          </Button>
        </form>
      </div>
    </Card>
  );
}

function optionsOf<Value extends string>(
  values: readonly Value[],
  names: Readonly<Record<Value, string>>,
) {
  return values.map((value) => ({ value, label: names[value] }));
}
