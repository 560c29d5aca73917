import { Button, Skeleton, Textarea, TextInput } from "@mantine/core";
import { mdiPlus } from "@mdi/js";
import { lazy, Suspense, useEffect, useRef, useState, type RefObject } from "react";
import { limits } from "@sineta/protocol/limits";
import { countCharacters } from "@sineta/protocol/text";
import { tidyLine, tidyLines } from "../../../parts/tidy-text.ts";
import { Card } from "../../../parts/card.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { isNearlyFull } from "../logic/nearly-full.ts";
import { cutsOf, type Cut } from "../logic/looks.ts";
import { withoutPicture } from "../logic/written.ts";
import { ActionFields, withAction } from "./action-fields.tsx";
import classes from "./fields.module.css";
import { directedAs, type Fields } from "./fields.ts";
import { leftToRight } from "../../../app/theme.ts";

// Few notices have a picture, so its fields load on demand.
const PictureField = lazy(() =>
  import("./picture-field.tsx").then((module) => ({ default: module.PictureField })),
);

const pictures = ["image", "icon"] as const;
type PicturePart = (typeof pictures)[number];

/** What it says: title, text and link; image, buttons and icon where an operator adds them. */
export function ContentFields(fields: Fields) {
  const { written, change, flaw } = fields;
  const { compose } = useTexts();
  const { actions } = written;
  // A picture's fields stay while an operator puts another address in the place of this one.
  const [shown, setShown] = useState(() => pictures.filter((part) => written[part] !== ""));
  const [added, setAdded] = useState<PicturePart | null>(null);
  const [parts, giveFocus] = useFocusIn();
  const addPicture = (part: PicturePart) => {
    setShown([...shown, part]);
    setAdded(part);
  };
  const addAction = () => {
    change({ actions: withAction(actions) });
    giveFocus(`action-${actions.length}`);
  };
  const leaveOut = (part: PicturePart) => {
    change({ [part]: "" });
    setShown(shown.filter((each) => each !== part));
    giveFocus(`add-${part}`);
  };
  const onRemoved = (address: string) => change(withoutPicture(written, address));
  const chips = [
    { part: "image", isOffered: !shown.includes("image"), add: () => addPicture("image") },
    { part: "action", isOffered: actions.length < limits.actions, add: addAction },
    { part: "icon", isOffered: !shown.includes("icon"), add: () => addPicture("icon") },
  ] as const;
  const offered = chips.filter(({ isOffered }) => isOffered);
  return (
    <Card title={compose.content}>
      <TextFields {...fields} />
      <div ref={parts} className={classes.parts}>
        {pictures.map(
          (part) =>
            shown.includes(part) && (
              <Suspense key={part} fallback={<Skeleton height={170} radius="md" />}>
                <PictureField
                  use={part}
                  takesFocus={added === part}
                  label={compose[part]}
                  hint={compose.pictureHints[part]}
                  value={written[part]}
                  flaw={flaw(`notification.${part}`)}
                  onChange={(address) => change({ [part]: address })}
                  onRemoved={onRemoved}
                  onLeaveOut={() => leaveOut(part)}
                />
              </Suspense>
            ),
        )}
        <ActionFields {...fields} onLeftOut={() => giveFocus("add-action")} />
        {offered.length > 0 && (
          <div className={classes.buttons}>
            {offered.map(({ part, add }) => (
              <Button
                key={part}
                variant="default"
                className={classes.chip ?? ""}
                leftSection={<Icon path={mdiPlus} size={16} />}
                aria-label={compose.addPart[part]}
                data-part={`add-${part}`}
                onClick={add}
              >
                {compose.parts[part]}
              </Button>
            ))}
          </div>
        )}
      </div>
    </Card>
  );
}

function TextFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const format = useFormat();
  const cuts = cutsOf(written);
  const placeOf = ({ system, browsers }: Cut) => {
    const on = compose.systems[system];
    return browsers === "all"
      ? on
      : browsers.map((browser) => compose.lookOn(browser, on)).join(", ");
  };
  const saidBelow = (name: "title" | "body", text: string, most: number) => {
    const count = countCharacters(text);
    const said = [
      isNearlyFull(count, most) && compose.characters(format.number(count), format.number(most)),
      cuts[name].length > 0 && compose.cutIn(cuts[name].map(placeOf).join(", ")),
    ].filter((each) => each !== false);
    return said.length === 0 ? undefined : said.join(". ");
  };
  return (
    <>
      <TextInput
        label={compose.title}
        description={saidBelow("title", tidyLine(written.title), limits.titleCharacters)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={written.title}
        error={flaw("notification.title")}
        onChange={(event) => change({ title: event.currentTarget.value })}
        attributes={directedAs(written)}
        autoComplete="off"
      />
      <Textarea
        label={compose.body}
        description={saidBelow("body", tidyLines(written.body), limits.bodyCharacters)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={written.body}
        error={flaw("notification.body")}
        onChange={(event) => change({ body: event.currentTarget.value })}
        attributes={directedAs(written)}
        rows={2}
        className={classes.text ?? ""}
        resize="vertical"
      />
      <TextInput
        className={classes.hinted ?? ""}
        label={compose.link}
        description={compose.linkHint}
        placeholder={compose.linkPlaceholder}
        value={written.link}
        error={flaw("notification.link")}
        onChange={(event) => change({ link: event.currentTarget.value })}
        inputMode="url"
        attributes={leftToRight}
        autoComplete="off"
      />
    </>
  );
}

/** Gives the focus to a part of the form as soon as it is on the page: the button that brought it may be gone by then. */
function useFocusIn(): [
  parts: RefObject<HTMLDivElement | null>,
  giveFocus: (part: string) => void,
] {
  const parts = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    const part = parts.current?.querySelector(`[data-part="${wanted.current}"]`);
    if (part === null || part === undefined) return;
    wanted.current = null;
    const field = part.matches("button") ? part : part.querySelector("[data-first]");
    if (field instanceof HTMLElement) field.focus();
  });
  return [
    parts,
    (part) => {
      wanted.current = part;
    },
  ];
}
