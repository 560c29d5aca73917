import { MultiSelect } from "@mantine/core";
import { useTexts } from "../../../texts/use-texts.tsx";
import { useTopicOptions } from "./use-topic-options.ts";

/** Chooses topics by typing or by clicking. */
export function TopicsField({
  value,
  onChange,
  description,
  error,
}: {
  value: string[];
  onChange: (topics: string[]) => void;
  description?: string;
  error?: string | undefined;
}) {
  const { compose } = useTexts();
  const options = useTopicOptions(value);
  return (
    <MultiSelect
      label={compose.topics}
      description={description}
      {...(value.length === 0 ? { placeholder: compose.topicsPlaceholder } : {})}
      data={options}
      value={value}
      error={error}
      onChange={onChange}
      searchable
      nothingFoundMessage={compose.noTopicFound}
      // Enter takes the first that fits. Mantine marks it when the text or this changes: so also when the topics come after the text.
      selectFirstOptionOnChange={options.length > value.length}
      // The list would hide what is said of the field that gets the focus because of it.
      openOnFocus={false}
    />
  );
}
