import { CloseButton, TextInput } from "@mantine/core";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import type { WrittenAction } from "../logic/written.ts";
import classes from "./fields.module.css";
import { directedAs, type Fields } from "./fields.ts";
import { leftToRight } from "../../../app/theme.ts";

/** No browser shows more (docs/decisions/0046-previews.md). */
const shownActions = 2;

/** The buttons of the notification. */
export function ActionFields({
  written,
  change,
  flaw,
  onLeftOut,
}: Fields & { onLeftOut: () => void }) {
  const { compose } = useTexts();
  const format = useFormat();
  const { actions } = written;
  const replace = (index: number, part: Partial<WrittenAction>) =>
    change({ actions: actions.map((each, at) => (at === index ? { ...each, ...part } : each)) });
  return actions.map((each, index) => {
    const number = format.number(index + 1);
    return (
      <section
        key={each.action}
        className={classes.part}
        aria-label={compose.action(number)}
        data-part={`action-${index}`}
      >
        <div className={classes.partHeader}>
          <strong>{compose.action(number)}</strong>
          <CloseButton
            aria-label={compose.removeAction(number)}
            size="xl"
            onClick={() => {
              change({ actions: actions.filter((_, at) => at !== index) });
              onLeftOut();
            }}
          />
        </div>
        {index >= shownActions && <p className={classes.soft}>{compose.actionUnseen}</p>}
        <div className={classes.pair}>
          <TextInput
            data-first
            label={compose.actionTitle}
            value={each.title}
            error={flaw(`notification.actions.${index}.title`)}
            onChange={(event) => replace(index, { title: event.currentTarget.value })}
            attributes={directedAs(written)}
            autoComplete="off"
          />
          <TextInput
            label={compose.actionLink}
            placeholder={compose.actionLinkHint}
            value={each.link}
            error={flaw(`notification.actions.${index}.link`)}
            onChange={(event) => replace(index, { link: event.currentTarget.value })}
            inputMode="url"
            attributes={leftToRight}
            autoComplete="off"
          />
        </div>
      </section>
    );
  });
}

/** One more, without words yet. Its name is what receipts of clicks will call it. */
export function withAction(actions: readonly WrittenAction[]): WrittenAction[] {
  const taken = new Set(actions.map(({ action }) => action));
  let number = 1;
  while (taken.has(`action-${number}`)) number += 1;
  return [...actions, { action: `action-${number}`, title: "", link: "" }];
}
