import { Button, NativeSelect, TextInput } from "@mantine/core";
import type { TopicRequest } from "@sineta/protocol";
import { limits } from "@sineta/protocol/limits";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { bodyOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Card } from "../../parts/card.tsx";
import { Problem } from "../../parts/problem.tsx";
import { topicsQuery } from "../../project/use-topics.ts";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { isTechnicalName, technicalNameOf } from "./technical-name.ts";
import classes from "./topics.module.css";

/** Makes a topic. What was typed stays where it is refused. */
export function AddTopic() {
  const { audience } = useTexts();
  const texts = audience.topics;
  const project = useProject();
  const queries = useQueryClient();
  const nameInput = useRef<HTMLInputElement>(null);
  const technicalInput = useRef<HTMLInputElement>(null);
  const [displayName, setDisplayName] = useState("");
  /** Null while it follows the display name. */
  const [typed, setTyped] = useState<string | null>(null);
  const [policy, setPolicy] = useState<TopicRequest["policy"]>("open");
  const [wrong, setWrong] = useState<"name" | "technical" | null>(null);
  const name = typed ?? technicalNameOf(displayName);
  const add = useMutation({
    mutationFn: (body: TopicRequest) => bodyOf(ask("POST", `${project.path}/topics`, { body })),
    onSuccess: async () => {
      setDisplayName("");
      setTyped(null);
      await queries.invalidateQueries(topicsQuery(project));
      nameInput.current?.focus();
    },
  });
  const changed = () => {
    setWrong(null);
    // What was said of another name is over.
    add.reset();
  };
  return (
    <Card title={texts.add}>
      <form
        className={classes.add}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const shown = displayName.trim();
          const flaw = shown === "" ? "name" : isTechnicalName(name) ? null : "technical";
          setWrong(flaw);
          if (flaw === null) add.mutate({ name, displayName: shown, policy });
          else (flaw === "name" ? nameInput : technicalInput).current?.focus();
        }}
      >
        <TextInput
          ref={nameInput}
          label={texts.name}
          description={texts.nameWhat}
          error={wrong === "name" ? texts.nameMissing : null}
          value={displayName}
          maxLength={limits.displayNameCharacters}
          onChange={(event) => {
            setDisplayName(event.currentTarget.value);
            changed();
          }}
          autoComplete="off"
        />
        <TextInput
          ref={technicalInput}
          label={texts.technicalName}
          description={texts.technicalNameWhat}
          error={wrong === "technical" ? texts.technicalNameWrong : null}
          value={name}
          onChange={(event) => {
            setTyped(event.currentTarget.value || null);
            changed();
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <NativeSelect
          label={texts.policy}
          value={policy}
          onChange={(event) => setPolicy(event.currentTarget.value === "kept" ? "kept" : "open")}
          data={(["open", "kept"] as const).map((value) => ({
            value,
            label: texts.policies[value],
          }))}
        />
        <Button type="submit" loading={add.isPending}>
          {texts.add}
        </Button>
      </form>
      <Problem error={add.error} />
    </Card>
  );
}
