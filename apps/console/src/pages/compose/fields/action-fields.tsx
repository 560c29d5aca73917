import { Button, CloseButton, TextInput } from "@mantine/core";
import { mdiPlus } from "@mdi/js";
import { limits } from "@sineta/protocol/limits";
import { Card } from "../../../parts/card.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import type { WrittenAction } from "../logic/written.ts";
import classes from "./fields.module.css";
import { directedAs, type Fields } from "./fields.ts";
import { leftToRight } from "../../../app/theme.ts";

/** The buttons of the notification. */
export function ActionFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const format = useFormat();
  const { actions } = written;
  const replace = (index: number, part: Partial<WrittenAction>) =>
    change({ actions: actions.map((each, at) => (at === index ? { ...each, ...part } : each)) });
  return (
    <Card title={compose.actions}>
      <p className={classes.soft}>{compose.actionsHint}</p>
      {actions.map((each, index) => {
        const number = format.number(index + 1);
        return (
          <section key={each.action} className={classes.line} aria-label={compose.action(number)}>
            <div className={classes.lineHeader}>
              <strong>{compose.action(number)}</strong>
              <CloseButton
                aria-label={compose.removeAction(number)}
                size="xl"
                onClick={() => change({ actions: actions.filter((_, at) => at !== index) })}
              />
            </div>
            <TextInput
              label={compose.actionTitle}
              value={each.title}
              error={flaw(`notification.actions.${index}.title`)}
              onChange={(event) => replace(index, { title: event.currentTarget.value })}
              attributes={directedAs(written)}
              autoComplete="off"
            />
            <TextInput
              label={compose.actionLink}
              description={compose.actionLinkHint}
              value={each.link}
              error={flaw(`notification.actions.${index}.link`)}
              onChange={(event) => replace(index, { link: event.currentTarget.value })}
              inputMode="url"
              attributes={leftToRight}
              autoComplete="off"
            />
          </section>
        );
      })}
      {actions.length < limits.actions && (
        <div>
          <Button
            variant="default"
            leftSection={<Icon path={mdiPlus} size={18} />}
            onClick={() =>
              change({ actions: [...actions, { action: freeId(actions), title: "", link: "" }] })
            }
          >
            {compose.addAction}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** What receipts of clicks will name it by. */
function freeId(actions: readonly WrittenAction[]): string {
  const taken = new Set(actions.map(({ action }) => action));
  let number = 1;
  while (taken.has(`action-${number}`)) number += 1;
  return `action-${number}`;
}
