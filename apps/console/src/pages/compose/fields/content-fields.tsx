import { Textarea, TextInput } from "@mantine/core";
import { limits } from "@sineta/protocol/limits";
import { countCharacters } from "@sineta/protocol/text";
import { tidyLine, tidyLines } from "../../../parts/tidy-text.ts";
import { Card } from "../../../parts/card.tsx";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { directedAs, type Fields } from "./fields.ts";
import { leftToRight } from "../../../app/theme.ts";

/** Title, text and link. */
export function ContentFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const format = useFormat();
  const counted = (text: string, most: number) =>
    compose.characters(format.number(countCharacters(text)), format.number(most));
  return (
    <Card title={compose.content}>
      <TextInput
        label={compose.title}
        description={counted(tidyLine(written.title), limits.titleCharacters)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={written.title}
        error={flaw("notification.title")}
        onChange={(event) => change({ title: event.currentTarget.value })}
        attributes={directedAs(written)}
        autoComplete="off"
      />
      <Textarea
        label={compose.body}
        description={counted(tidyLines(written.body), limits.bodyCharacters)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={written.body}
        error={flaw("notification.body")}
        onChange={(event) => change({ body: event.currentTarget.value })}
        attributes={directedAs(written)}
        rows={4}
        resize="vertical"
      />
      <TextInput
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
    </Card>
  );
}
