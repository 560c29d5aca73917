import { MultiSelect, type OptionsFilter } from "@mantine/core";
import { useTexts } from "../../../texts/use-texts.tsx";
import { useTopicOptions } from "./use-topic-options.ts";

/** By what people read and by the technical name. */
const matching: OptionsFilter = ({ options, search }) => {
  const wanted = search.trim().toLowerCase();
  return options.filter(
    (option) =>
      "value" in option && `${option.label} ${option.value}`.toLowerCase().includes(wanted),
  );
};

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
  const { options, isLoaded } = useTopicOptions(value);
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
      filter={matching}
      nothingFoundMessage={compose.noTopicFound}
      // Enter takes the first topic that fits. Mantine marks that topic when the text changes, and when this turns true.
      // So the operator can type before the topics are loaded.
      selectFirstOptionOnChange={isLoaded}
      // The list would hide what is said of the field that gets the focus because of it.
      openOnFocus={false}
    />
  );
}
