import { Button, Group, NativeSelect, Skeleton, Stack, TextInput } from "@mantine/core";
import type { InvitationMade } from "@sineta/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { bodyOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Card } from "../../parts/card.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { When } from "../../parts/when.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { invitationsQuery } from "./queries.ts";
import { useRoleChoices } from "./role-choices.ts";
import classes from "./rows.module.css";
import { ShownOnce } from "./shown-once.tsx";
import { useTyped, type TypedForm } from "./use-typed.ts";
import { isolated } from "../../parts/isolated.ts";

/** What an invitation is like before anything is chosen. */
const newInvitation = { role: "editor", email: "" };

/** Links that make somebody an operator, once: those that wait, and a new one. */
export function Invitations() {
  const { settings, session } = useTexts();
  const texts = settings.operators;
  const project = useProject();
  const queries = useQueryClient();
  const form = useTyped("invitation", newInvitation);
  /** What was begun before the page was loaded anew goes on. */
  const [isInviting, setInviting] = useState(form.isTyped);
  const { data, error, refetch } = useQuery(invitationsQuery(project));
  const withdraw = useMutation({
    mutationFn: (id: number) => bodyOf(ask("DELETE", `${project.path}/invitations/${id}`)),
    onSettled: () => queries.invalidateQueries({ queryKey: invitationsQuery(project).queryKey }),
  });
  // What is being withdrawn is gone at once, and back again if it cannot be.
  const waiting = data?.invitations.filter(
    ({ id }) => !(withdraw.isPending && withdraw.variables === id),
  );
  const invite = <Button onClick={() => setInviting(true)}>{texts.invite}</Button>;
  return (
    <Card title={texts.invitations} actions={waiting?.length !== 0 && invite}>
      {data === undefined && error === null && <Skeleton height={60} />}
      {waiting?.length === 0 && (
        <Empty drawing="letter" sentence={texts.noInvitations} action={invite} />
      )}
      {waiting !== undefined && waiting.length > 0 && (
        <ul className={classes.rows}>
          {waiting.map(({ id, role, email, invitedBy, expiresAt }) => (
            <li key={id} className={classes.row}>
              <div className={classes.what}>
                <p>
                  <strong>{email ?? texts.forAnybody}</strong> · {session.roles[role]}
                </p>
                <p className={classes.soft}>
                  {texts.invitedBy(isolated(invitedBy ?? texts.theServer))} ·{" "}
                  <Sentence of={texts.goodUntil}>
                    <When at={expiresAt} />
                  </Sentence>
                </p>
              </div>
              <Button
                variant="default"
                aria-label={texts.withdrawOf(email ?? texts.forAnybody)}
                onClick={() => withdraw.mutate(id)}
              >
                {texts.withdraw}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Problem error={error ?? withdraw.error} onRetry={() => void refetch()} />
      {isInviting && <Invite form={form} onClose={() => setInviting(false)} />}
    </Card>
  );
}

function Invite({ form, onClose }: { form: TypedForm<typeof newInvitation>; onClose: () => void }) {
  const { settings, session, frame } = useTexts();
  const texts = settings.operators;
  const project = useProject();
  const queries = useQueryClient();
  const { role, email } = form.shown;
  const close = () => {
    form.forget();
    onClose();
  };
  const invite = useMutation({
    mutationFn: () =>
      bodyOf(
        ask<InvitationMade>("POST", `${project.path}/invitations`, {
          body: { role, ...(email.trim() === "" ? {} : { email }) },
        }),
      ),
    onSuccess: () => {
      form.forget();
      return queries.invalidateQueries({ queryKey: invitationsQuery(project).queryKey });
    },
  });
  const choices = useRoleChoices();
  return (
    <Dialog isOpen title={texts.invite} onClose={close} isFinal={invite.isSuccess}>
      {invite.isSuccess ? (
        <ShownOnce isForAnother label={texts.link} lines={[invite.data.link]} onKept={close} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            invite.mutate();
          }}
        >
          <Stack>
            <p>{texts.inviteWhat}</p>
            <NativeSelect
              label={texts.role}
              description={texts.rolesWhat}
              data={choices}
              value={role}
              onChange={(event) => form.type({ role: event.currentTarget.value })}
            />
            <TextInput
              label={session.email}
              description={texts.emailWhat}
              type="email"
              autoComplete="off"
              value={email}
              onChange={(event) => form.type({ email: event.currentTarget.value })}
            />
            <Problem error={invite.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {frame.cancel}
              </Button>
              <Button type="submit" loading={invite.isPending}>
                {texts.makeLink}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
