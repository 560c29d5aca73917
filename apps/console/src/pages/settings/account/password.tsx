import { Button, Group, PasswordInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { Card } from "../../../parts/card.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { useOperator } from "../../../session/operator.ts";
import { valueOf } from "../../../session/value-of.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { readAccountAnew } from "../queries.ts";
import classes from "../rows.module.css";

/** Changes the own password, which ends all other sessions. */
export function Password() {
  const { settings, session } = useTexts();
  const { email } = useOperator();
  const texts = settings.account;
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (passwords: { current: string; new: string }) =>
      bodyOf(ask("PUT", "session/password", { body: passwords })),
    onSuccess: () => readAccountAnew(queries),
  });
  return (
    <Card title={session.password}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const typed = new FormData(form);
          const passwords = { current: valueOf(typed, "current"), new: valueOf(typed, "new") };
          change.mutate(passwords, { onSuccess: () => form.reset() });
        }}
      >
        {/* By it a password manager knows whose the new one is. */}
        <input type="text" name="email" value={email} autoComplete="username" readOnly hidden />
        <PasswordInput
          label={texts.currentPassword}
          name="current"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": session.showPassword }}
        />
        <PasswordInput
          label={texts.newPassword}
          description={session.passwordHint}
          name="new"
          autoComplete="new-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": session.showPassword }}
        />
        <Problem error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {texts.changePassword}
          </Button>
          <output>{change.isSuccess ? texts.passwordChanged : ""}</output>
        </Group>
      </form>
    </Card>
  );
}
