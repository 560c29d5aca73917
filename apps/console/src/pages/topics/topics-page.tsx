import { Button, NativeSelect, Skeleton } from "@mantine/core";
import type { TopicList, TopicPolicy } from "@sineta/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { bodyOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Card } from "../../parts/card.tsx";
import { ConfirmByWord } from "../../parts/confirm-by-word.tsx";
import { Empty } from "../../parts/empty.tsx";
import { isolated } from "../../parts/isolated.ts";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { topicLabels, topicsQuery } from "../../project/use-topics.ts";
import { useProject, type OwnProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { AddTopic } from "./add-topic.tsx";
import { RenameTopic } from "./rename-topic.tsx";
import classes from "./topics.module.css";

type Topic = TopicList["topics"][number];

/** The project's topics: who may join each, how many are in it. */
export function TopicsPage() {
  const { frame, audience } = useTexts();
  const texts = audience.topics;
  const project = useProject();
  const { data, error, refetch } = useQuery(topicsQuery(project));
  const labels = topicLabels(data?.topics ?? []);
  return (
    <Page title={frame.topics}>
      {project.may("editor") && <AddTopic />}
      <Card title={texts.listTitle} help={texts.what}>
        {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton h="8rem" />}
        {data?.topics.length === 0 && <Empty drawing="tag" sentence={texts.none} />}
        {data !== undefined && data.topics.length > 0 && (
          <ul className={classes.topics}>
            {data.topics.map((topic) => (
              <TopicRow
                key={topic.name}
                topic={topic}
                label={isolated(labels.get(topic.name) ?? topic.name)}
                project={project}
              />
            ))}
          </ul>
        )}
      </Card>
    </Page>
  );
}

function TopicRow({
  topic,
  label,
  project,
}: {
  topic: Topic;
  /** Tells it from every other topic. */
  label: string;
  project: OwnProject;
}) {
  const { audience } = useTexts();
  const texts = audience.topics;
  const format = useFormat();
  const queries = useQueryClient();
  const { name, displayName, policy, registrations } = topic;
  const [isAsking, setIsAsking] = useState(false);
  const [isRenaming, setIsRenaming] = useState(false);
  const path = `${project.path}/topics/${name}`;
  const change = useMutation({
    mutationFn: (wanted: TopicPolicy) => bodyOf(ask("PATCH", path, { body: { policy: wanted } })),
    onSettled: () => queries.invalidateQueries(topicsQuery(project)),
  });
  const remove = useMutation({
    mutationFn: () => bodyOf(ask("DELETE", path)),
    onSuccess: async () => {
      await queries.invalidateQueries(topicsQuery(project));
      setIsAsking(false);
    },
  });
  const mayChange = project.may("editor");
  return (
    <li className={classes.topic}>
      <div className={classes.name}>
        <h3 className={classes.title} dir="auto">
          {displayName}
        </h3>
        <p className={classes.soft}>
          {displayName !== name && (
            <>
              <code>{name}</code> ·{" "}
            </>
          )}
          {texts.members(registrations, format.number(registrations))}
        </p>
      </div>
      {mayChange ? (
        <NativeSelect
          className={classes.policy}
          aria-label={texts.policyOf(label)}
          // As it was asked for, until the answer is there.
          value={change.isPending ? change.variables : policy}
          onChange={(event) =>
            change.mutate(event.currentTarget.value === "kept" ? "kept" : "open")
          }
          data={(["open", "kept"] as const).map((value) => ({
            value,
            label: texts.policies[value],
          }))}
        />
      ) : (
        <p>{texts.policies[policy]}</p>
      )}
      <div className={classes.actions}>
        <Button
          variant="default"
          aria-label={texts.seeOf(label)}
          renderRoot={(props) => <Link to="/publico" search={{ topic: name }} {...props} />}
        >
          {texts.see}
        </Button>
        {mayChange && (
          <Button
            variant="default"
            aria-label={texts.renameOf(label)}
            onClick={() => setIsRenaming(true)}
          >
            {texts.rename}
          </Button>
        )}
        {mayChange && (
          <Button
            variant="light"
            color="red"
            aria-label={texts.removeOf(label)}
            onClick={() => setIsAsking(true)}
          >
            {texts.remove}
          </Button>
        )}
      </div>
      {change.error !== null && <Problem error={change.error} />}
      {mayChange && (
        <RenameTopic topic={topic} isOpen={isRenaming} onClose={() => setIsRenaming(false)} />
      )}
      {mayChange && (
        <ConfirmByWord
          isOpen={isAsking}
          title={texts.removeTitle(label)}
          word="remove"
          action={texts.remove}
          error={remove.error}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => {
            remove.reset();
            setIsAsking(false);
          }}
        >
          <p>{texts.removeWhat(registrations, format.number(registrations))}</p>
        </ConfirmByWord>
      )}
    </li>
  );
}
