import { Button, NativeSelect, TextInput } from "@mantine/core";
import type { TopicRequest } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { bodyOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Card } from "../../parts/card.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./topics.module.css";

/** As the protocol has it (topicNameSchema). */
const namePattern = /^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,64}$/;

/** Makes a topic. What was typed stays where it is refused. */
export function AddTopic() {
  const { audience } = useTexts();
  const texts = audience.topics;
  const project = useProject();
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const [policy, setPolicy] = useState<TopicRequest["policy"]>("open");
  const [isWrong, setIsWrong] = useState(false);
  const add = useMutation({
    mutationFn: (body: TopicRequest) => bodyOf(ask("POST", `${project.path}/topics`, { body })),
    onSuccess: async () => {
      setName("");
      await queries.invalidateQueries({ queryKey: [project.name, "topics"] });
      input.current?.focus();
    },
  });
  return (
    <Card title={texts.add}>
      <form
        className={classes.add}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const isRight = namePattern.test(name);
          setIsWrong(!isRight);
          if (isRight) add.mutate({ name, policy });
          else input.current?.focus();
        }}
      >
        <TextInput
          ref={input}
          className={classes.addName}
          label={texts.name}
          description={texts.nameWhat}
          error={isWrong ? texts.nameWrong : null}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setIsWrong(false);
            // What was said of another name is over.
            add.reset();
          }}
          autoComplete="off"
          autoCapitalize="none"
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
