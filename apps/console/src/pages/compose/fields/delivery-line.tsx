import { Skeleton, UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import type { Format } from "../../../texts/format.ts";
import type { Texts } from "../../../texts/pt/index.ts";
import type { Written } from "../logic/written.ts";
import classes from "./fields.module.css";
import type { Fields } from "./fields.ts";
import { Line } from "./line.tsx";

// Most operators keep the defaults, so these fields load on demand.
const DeliveryFields = lazy(() =>
  import("./delivery-fields.tsx").then((module) => ({ default: module.DeliveryFields })),
);

const fieldsOfIt = ["ttlSeconds", "notification.tag", "collapseKey", "notification.badge"];

/** How it is delivered, in a sentence. Its fields come when an operator wants to change them, and when one has an error. */
export function DeliveryLine(fields: Fields) {
  const { compose } = useTexts();
  const format = useFormat();
  const [wantsFields, setWantsFields] = useState(false);
  const isFlawed = fieldsOfIt.some((path) => fields.flaw(path) !== undefined);
  // A field must not unmount while the operator types in it, so they stay when the error is mended.
  if (isFlawed && !wantsFields) setWantsFields(true);
  return (
    <Line
      title={compose.delivery}
      choice={
        <>
          <span className={classes.sentence}>
            {deliverySentence(fields.written, compose, format)}
          </span>
          {!isFlawed && (
            <UnstyledButton
              className={classes.change}
              aria-label={wantsFields ? compose.foldDelivery : compose.changeDelivery}
              onClick={() => setWantsFields(!wantsFields)}
            >
              {wantsFields ? compose.fold : compose.change}
            </UnstyledButton>
          )}
        </>
      }
    >
      {wantsFields && (
        <Suspense fallback={<Skeleton height={280} />}>
          <DeliveryFields {...fields} />
        </Suspense>
      )}
    </Line>
  );
}

/** What an operator does not change goes without saying, but for validity and urgency. */
function deliverySentence(written: Written, compose: Texts["compose"], format: Format): string {
  const { ttlSeconds, urgency, tag, collapseKey } = written;
  const { said } = compose;
  return [
    ttlSeconds === 0 ? said.nowOrNever : said.validity(format.span(ttlSeconds)),
    said.urgencies[urgency],
    written.requireInteraction && said.requireInteraction,
    written.silent && said.silent,
    written.renotify && said.renotify,
    tag !== "" && said.tag(tag),
    collapseKey !== "" && said.collapseKey(collapseKey),
    written.badge !== "" && said.badge,
  ]
    .filter((part) => part !== false)
    .join(", ");
}
