import { Button, PasswordInput, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { Problem } from "../../../parts/problem.tsx";
import { useOperator } from "../../../session/operator.ts";
import { useTexts } from "../../../texts/use-texts.tsx";

/** Asks for the password again, before what whoever finds an open session must not do. */
export function PasswordForm({
  action,
  error,
  isBusy,
  isDangerous = false,
  onSubmit,
  children,
}: {
  action: string;
  error: unknown;
  isBusy: boolean;
  isDangerous?: boolean;
  onSubmit: (password: string) => void;
  children?: ReactNode;
}) {
  const { settings, session } = useTexts();
  const { email } = useOperator();
  const [password, setPassword] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(password);
      }}
    >
      <Stack>
        {/* By it a password manager knows whose it is. */}
        <input type="text" name="email" value={email} autoComplete="username" readOnly hidden />
        <PasswordInput
          label={settings.account.currentPassword}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          visibilityToggleButtonProps={{ "aria-label": session.showPassword }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {children}
        <Problem error={error} />
        <Button type="submit" loading={isBusy} {...(isDangerous ? { color: "red" } : {})}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
