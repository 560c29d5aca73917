import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { DayField } from "../../parts/dates/day-field.tsx";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./notices.module.css";
import { messageStates, targetKinds, validateNoticesSearch, type NoticesSearch } from "./search.ts";

/** Which notices are shown. What is chosen stands in the address. */
export function Filters({ search }: { search: NoticesSearch }) {
  const { frame, notices } = useTexts();
  const navigate = useNavigate({ from: "/avisos" });
  const [words, setWords] = useState(search.busca ?? "");
  /** How often the operator cleared the filters. It is part of the fields' keys, so that a text that is no day goes, too. */
  const [cleared, setCleared] = useState(0);
  const change = (changed: Record<string, string>) =>
    navigate({
      search: (before) => validateNoticesSearch({ ...before, ...changed }),
      replace: true,
    });
  const searchSoon = useDebouncedCallback((typed: string) => void change({ busca: typed }), 250);
  // Where the address changed by other means than typing: back, or all filters cleared.
  const [inAddress, setInAddress] = useState(search.busca);
  if (search.busca !== inAddress) {
    setInAddress(search.busca);
    if (words.trim() !== (search.busca ?? "").trim()) setWords(search.busca ?? "");
  }
  return (
    <search className={classes.filters} aria-label={notices.filters}>
      <TextInput
        className={classes.words}
        type="search"
        label={notices.searchLabel}
        placeholder={notices.searchHint}
        value={words}
        maxLength={200}
        onChange={({ currentTarget }) => {
          setWords(currentTarget.value);
          searchSoon(currentTarget.value);
        }}
      />
      <NativeSelect
        label={notices.state}
        value={search.situacao ?? ""}
        data={[
          { value: "", label: notices.anyState },
          ...messageStates.map((value) => ({ value, label: frame.noticeStates[value] })),
        ]}
        onChange={({ currentTarget }) => void change({ situacao: currentTarget.value })}
      />
      <NativeSelect
        label={notices.target}
        value={search.publico ?? ""}
        data={[
          { value: "", label: notices.anyTarget },
          ...targetKinds.map((value) => ({ value, label: notices.targets[value] })),
        ]}
        onChange={({ currentTarget }) => void change({ publico: currentTarget.value })}
      />
      <DayField
        key={`from ${cleared}`}
        label={notices.from}
        value={search.de ?? ""}
        nearest="last"
        max={search.ate}
        onChange={(de) => void change({ de })}
      />
      <DayField
        key={`to ${cleared}`}
        label={notices.to}
        value={search.ate ?? ""}
        nearest="last"
        min={search.de}
        onChange={(ate) => void change({ ate })}
      />
      <Button
        variant="subtle"
        className={classes.clear}
        disabled={Object.keys(search).length === 0}
        onClick={() => {
          setCleared(cleared + 1);
          void navigate({ search: {}, replace: true });
        }}
      >
        {frame.clearFilters}
      </Button>
    </search>
  );
}
