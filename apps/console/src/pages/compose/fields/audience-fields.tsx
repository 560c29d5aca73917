import { Alert, Button, Radio, Skeleton, Textarea, TextInput } from "@mantine/core";
import type { TopicList } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { read } from "../../../api/api-problem.ts";
import { Card } from "../../../parts/card.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { useProject } from "../../../session/operator.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { useThisBrowser } from "../../../this-browser/use-this-browser.ts";
import { expressionOf } from "../logic/rule.ts";
import { audienceKinds } from "../logic/written.ts";
import classes from "./fields.module.css";
import type { Fields } from "./fields.ts";
import { leftToRight } from "../../../app/theme.ts";

// Most go to everybody: what is chosen among comes when it is wanted.
const TopicsField = lazy(() =>
  import("./topics-field.tsx").then((module) => ({ default: module.TopicsField })),
);
const RuleFields = lazy(() =>
  import("./rule-fields.tsx").then((module) => ({ default: module.RuleFields })),
);

/** To whom it goes. */
export function AudienceFields(fields: Fields) {
  const { compose } = useTexts();
  const { written, change } = fields;
  return (
    <Card title={compose.audience}>
      <Radio.Group
        aria-label={compose.audience}
        value={written.audience}
        onChange={(value) => {
          const audience = audienceKinds.find((kind) => kind === value);
          if (audience === undefined) return;
          // Whoever goes on by hand begins with what the rules say.
          const begins = audience === "expression" && written.expression.trim() === "";
          change(begins ? { audience, expression: expressionOf(written.rule) } : { audience });
        }}
      >
        <div className={classes.radios}>
          {audienceKinds.map((kind) => (
            <Radio key={kind} value={kind} label={compose.audienceKinds[kind]} />
          ))}
        </div>
      </Radio.Group>
      <Suspense fallback={<Skeleton height={84} />}>
        <Chosen {...fields} />
      </Suspense>
    </Card>
  );
}

function Chosen(fields: Fields) {
  const { compose } = useTexts();
  const { written, change, flaw } = fields;
  switch (written.audience) {
    case "all":
      return null;
    case "topics":
      return <TopicFields {...fields} />;
    case "rule":
      return <RuleFields {...fields} />;
    case "expression":
      return (
        <Textarea
          label={compose.expression}
          description={compose.expressionHint}
          value={written.expression}
          error={flaw("target.condition")}
          onChange={(event) => change({ expression: event.currentTarget.value })}
          rows={2}
          attributes={leftToRight}
          spellCheck={false}
        />
      );
    case "user":
      return (
        <TextInput
          label={compose.userId}
          description={compose.userIdHint}
          value={written.userId}
          error={flaw("target.userId")}
          onChange={(event) => change({ userId: event.currentTarget.value })}
          autoComplete="off"
        />
      );
    case "browser":
      return <BrowserFields {...fields} />;
    default:
      return written.audience satisfies never;
  }
}

function TopicFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const project = useProject();
  const topics = useQuery({
    queryKey: [project.name, "topics"],
    queryFn: ({ signal }) => read<TopicList>(`${project.path}/topics`, { signal }),
  });
  return (
    <>
      <Problem error={topics.error} onRetry={() => void topics.refetch()} />
      {topics.data?.topics.length === 0 && <p className={classes.soft}>{compose.noTopics}</p>}
      <TopicsField
        description={compose.topicsHint}
        value={written.topics}
        error={flaw("target.topic") ?? flaw("target.condition")}
        onChange={(value) => change({ topics: value })}
      />
    </>
  );
}

function BrowserFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const browser = useThisBrowser();
  const { token, busy } = browser;
  const [isOther, setOther] = useState(written.token !== "");
  return (
    <>
      <Radio.Group
        aria-label={compose.audienceKinds.browser}
        value={isOther ? "other" : "own"}
        onChange={(value) => {
          setOther(value === "other");
          if (value === "own") change({ token: "" });
        }}
      >
        <div className={classes.radios}>
          <Radio value="own" label={compose.thisBrowser} />
          <Radio value="other" label={compose.otherBrowser} />
        </div>
      </Radio.Group>
      {isOther && (
        <TextInput
          label={compose.token}
          value={written.token}
          error={flaw("target.token")}
          onChange={(event) => change({ token: event.currentTarget.value.trim() })}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {!isOther && token === null && (
        <Alert color="yellow">
          <p>{compose.thisBrowserOff}</p>
          <Button mt="xs" variant="default" loading={busy} onClick={() => browser.enable()}>
            {compose.enableHere}
          </Button>
        </Alert>
      )}
    </>
  );
}
