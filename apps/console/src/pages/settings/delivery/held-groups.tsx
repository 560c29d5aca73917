import { Checkbox } from "@mantine/core";
import type { DeliveryBody } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { Card } from "../../../parts/card.tsx";
import { isolated } from "../../../parts/isolated.ts";
import { Joined, Sentence } from "../../../parts/sentence.tsx";
import { When } from "../../../parts/when.tsx";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import rows from "../rows.module.css";
import {
  fates,
  isAllOffered,
  isChosen,
  isOffered,
  noChoice,
  offeredIn,
  withChanged,
  type Choice,
  type HeldMessage,
} from "./choice.ts";
import classes from "./delivery.module.css";

type Choosing = {
  delivery: DeliveryBody;
  choice: Choice;
  /** Null: the operator may not choose. */
  onChoose: ((choice: Choice) => void) | null;
};

/** The messages that wait, by what a resume does to them. */
export function HeldGroups(choosing: Choosing) {
  const { delivery: texts } = useTexts();
  const format = useFormat();
  const { delivery, onChoose } = choosing;
  const groups = fates.filter((fate) => delivery.counts[fate] > 0);
  return groups.map((fate) => {
    const count = delivery.counts[fate];
    const listed = delivery.messages.filter((message) => message.fate === fate);
    const offers = fate === "cancel" && onChoose !== null;
    return (
      <Card
        key={fate}
        title={texts.fates[fate].title}
        actions={<p className={rows.soft}>{texts.notices(count, format.number(count))}</p>}
      >
        <p className={rows.soft}>
          {texts.fates[fate].what} {offers && texts.mark}{" "}
          {count > listed.length && texts.cut(format.number(listed.length))}
        </p>
        {offers && <AllChoice {...choosing} />}
        <ul className={rows.rows}>
          {listed.map((message) => (
            <HeldRow key={message.id} message={message} {...choosing} />
          ))}
        </ul>
      </Card>
    );
  });
}

function AllChoice({ delivery, choice, onChoose }: Choosing) {
  const { delivery: texts } = useTexts();
  if (!isAllOffered(delivery)) return null;
  return (
    <Checkbox
      classNames={{ body: classes.pickLine, label: classes.pick }}
      label={texts.sendAllAnyway}
      checked={choice.all}
      indeterminate={!choice.all && offeredIn(delivery).some(({ id }) => isChosen(choice, id))}
      onChange={(event) => onChoose?.({ ...noChoice, all: event.currentTarget.checked })}
    />
  );
}

function HeldRow({ message, delivery, choice, onChoose }: Choosing & { message: HeldMessage }) {
  const { delivery: texts, frame } = useTexts();
  const format = useFormat();
  const { id, scheduleAt, scheduleAtLocal, state, registrations, fate } = message;
  const title = message.title.trim() === "" ? frame.untitled : message.title;
  const offered = isOffered(delivery, message);
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <Link to="/avisos/$id" params={{ id }} className={classes.title} dir="auto">
          {title}
        </Link>
        <p className={rows.soft}>
          <Joined>
            <Sentence of={scheduleAtLocal === undefined ? texts.due : texts.dueLocal}>
              <When at={scheduleAtLocal ?? scheduleAt} />
            </Sentence>
            {state !== "scheduled" && texts.begun}
            {registrations !== null &&
              texts.registrations(registrations, format.number(registrations))}
          </Joined>
        </p>
      </div>
      {fate === "cancel" && !offered && <p className={rows.soft}>{texts.expired}</p>}
      {offered && onChoose !== null && (
        <Checkbox
          classNames={{ body: classes.pickLine, label: classes.pick }}
          label={texts.sendAnyway}
          aria-label={`${texts.sendAnyway}: ${isolated(title)}`}
          checked={isChosen(choice, id)}
          onChange={() => onChoose(withChanged(delivery, choice, id))}
        />
      )}
    </li>
  );
}
