import { Button, CloseButton, Code, SegmentedControl } from "@mantine/core";
import { mdiPlus } from "@mdi/js";
import { Icon } from "../../../parts/icon.tsx";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { expressionOf, saidLines, type Rule, type RuleLine } from "../logic/rule.ts";
import classes from "./fields.module.css";
import type { Fields } from "./fields.ts";
import { TopicsField } from "./topics-field.tsx";

/** A condition that is built by clicking. */
export function RuleFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const format = useFormat();
  const { rule } = written;
  const set = (part: Partial<Rule>) => change({ rule: { ...rule, ...part } });
  const replace = (index: number, part: Partial<RuleLine>) =>
    set({ lines: rule.lines.map((line, at) => (at === index ? { ...line, ...part } : line)) });
  const expression = expressionOf(rule);
  return (
    <>
      {rule.lines.length > 1 && (
        <SegmentedControl
          aria-label={compose.ruleEvery}
          value={rule.every ? "every" : "any"}
          onChange={(value) => set({ every: value === "every" })}
          data={[
            { value: "every", label: compose.ruleKinds.every },
            { value: "any", label: compose.ruleKinds.any },
          ]}
        />
      )}
      {rule.lines.map((line, index) => {
        const number = format.number(index + 1);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- A line is what stands in its place: it has no other name.
          <section key={index} className={classes.part} aria-label={compose.ruleLine(number)}>
            <div className={classes.partHeader}>
              <strong>{compose.ruleLine(number)}</strong>
              {rule.lines.length > 1 && (
                <CloseButton
                  aria-label={compose.removeLine(number)}
                  size="xl"
                  onClick={() => set({ lines: rule.lines.filter((_, at) => at !== index) })}
                />
              )}
            </div>
            <div className={classes.pair}>
              <SegmentedControl
                aria-label={compose.ruleLine(number)}
                value={line.isIn ? "in" : "not"}
                onChange={(value) => replace(index, { isIn: value === "in" })}
                data={[
                  { value: "in", label: compose.isIn },
                  { value: "not", label: compose.isNotIn },
                ]}
              />
              <TopicsField value={line.topics} onChange={(topics) => replace(index, { topics })} />
            </div>
          </section>
        );
      })}
      <div>
        <Button
          variant="default"
          leftSection={<Icon path={mdiPlus} size={18} />}
          onClick={() => set({ lines: [...rule.lines, { isIn: true, topics: [] }] })}
        >
          {compose.addLine}
        </Button>
      </div>
      <dl className={classes.said} aria-live="polite">
        <dt>{compose.ruleSays}</dt>
        <dd>{expression === "" ? compose.ruleEmpty : <Sentence rule={rule} />}</dd>
        {expression !== "" && (
          <>
            <dt>{compose.ruleExpression}</dt>
            <dd>
              <Code>{expression}</Code>
            </dd>
          </>
        )}
      </dl>
      {expression !== "" && flaw("target.condition") !== undefined && (
        <p role="alert">{flaw("target.condition")}</p>
      )}
    </>
  );
}

/** The rule in words. */
function Sentence({ rule }: { rule: Rule }) {
  const { compose } = useTexts();
  const parts = saidLines(rule).map(({ isIn, topics }) => {
    const names = topics.join(compose.or);
    return isIn ? compose.ruleIn(names) : compose.ruleNotIn(names);
  });
  return compose.ruleSentence(parts.join(rule.every ? compose.and : compose.or));
}
