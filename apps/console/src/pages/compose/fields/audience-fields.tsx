import { SegmentedControl, Skeleton, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useRef } from "react";
import { Problem } from "../../../parts/problem.tsx";
import { topicsQuery } from "../../../project/use-topics.ts";
import { useProject } from "../../../session/operator.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { expressionOf } from "../logic/rule.ts";
import { audienceKinds, type AudienceKind } from "../logic/written.ts";
import classes from "./fields.module.css";
import type { Fields } from "./fields.ts";
import { leftToRight } from "../../../app/theme.ts";
import { Line } from "./line.tsx";

// Most notices are for everybody, so these fields load on demand.
const TopicsField = lazy(() =>
  import("./topics-field.tsx").then((module) => ({ default: module.TopicsField })),
);
const BrowserFields = lazy(() =>
  import("./browser-fields.tsx").then((module) => ({ default: module.BrowserFields })),
);
const RuleFields = lazy(() =>
  import("./rule-fields.tsx").then((module) => ({ default: module.RuleFields })),
);

/** The audiences that most notices are for stand in the line itself. The others stand behind "more". */
const usual = ["all", "topics", "user"] as const satisfies readonly AudienceKind[];
const rare = ["rule", "expression", "browser"] as const satisfies readonly AudienceKind[];
const isUsual = (kind: AudienceKind) => usual.some((each) => each === kind);

/** An operator chooses the audience of a notice. */
export function AudienceFields(fields: Fields) {
  const { compose } = useTexts();
  const { written, change } = fields;
  const { audience } = written;
  const lastRare = useRef<AudienceKind>(rare[0]);
  // An operator cannot write a list of tokens. The form offers the list of the notice that it began with.
  const listed = written.tokens.length === 0 ? [] : (["tokens"] as const);
  const choose = (value: string) => {
    const chosen = audienceKinds.find((kind) => kind === value) ?? lastRare.current;
    if (!isUsual(chosen)) lastRare.current = chosen;
    // An operator who goes on by hand begins with what the rules say.
    const begins = chosen === "expression" && written.expression.trim() === "";
    change({
      audience: chosen,
      ...(begins ? { expression: expressionOf(written.rule) } : {}),
    });
  };
  const choiceOf = (kind: AudienceKind) => ({ value: kind, label: compose.audienceKinds[kind] });
  return (
    <Line
      title={compose.audience}
      choice={
        <SegmentedControl
          aria-label={compose.audience}
          value={isUsual(audience) ? audience : "more"}
          onChange={choose}
          data={[...usual.map(choiceOf), { value: "more", label: compose.audienceMore }]}
        />
      }
    >
      {!isUsual(audience) && (
        <SegmentedControl
          className={classes.start}
          aria-label={compose.audienceOthers}
          value={audience}
          onChange={choose}
          data={[...rare, ...listed].map(choiceOf)}
        />
      )}
      <Suspense fallback={<Skeleton height={84} />}>
        <Chosen {...fields} />
      </Suspense>
    </Line>
  );
}

function Chosen(fields: Fields) {
  const { compose } = useTexts();
  const format = useFormat();
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
    case "tokens": {
      const count = written.tokens.length;
      return (
        <TextInput
          label={compose.audienceKinds.tokens}
          description={compose.listHint}
          value={compose.browsers(count, format.number(count))}
          error={flaw("target.tokens")}
          readOnly
        />
      );
    }
    default:
      return written.audience satisfies never;
  }
}

function TopicFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const project = useProject();
  const topics = useQuery(topicsQuery(project));
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
