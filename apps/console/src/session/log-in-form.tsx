import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import type { LogIn, OperatorAnswer } from "@sineta/protocol";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { bodyOf, codeOf } from "../api/api-problem.ts";
import { ask } from "../api/ask.ts";
import { Problem } from "../parts/problem.tsx";
import { useTexts } from "../texts/use-texts.tsx";
import { valueOf } from "./value-of.ts";

/** Asks for the second factor once the server says that there is one. */
export function LogInForm({
  email = "",
  onEntered,
}: {
  /** What the e-mail field begins with. */
  email?: string;
  onEntered: (operator: OperatorAnswer) => void | Promise<void>;
}) {
  const { session } = useTexts();
  const [asksFactor, setAsksFactor] = useState(false);
  const logIn = useMutation({
    mutationFn: (body: LogIn) => bodyOf(ask<OperatorAnswer>("POST", "session", { body })),
    onSuccess: onEntered,
    onError: (error) => {
      if (codeOf(error) === "second-factor-missing") setAsksFactor(true);
    },
  });
  const isFirstAsking = codeOf(logIn.error) === "second-factor-missing";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        logIn.mutate({
          email: valueOf(form, "email"),
          password: valueOf(form, "password"),
          ...(asksFactor ? { secondFactor: valueOf(form, "secondFactor") } : {}),
        });
      }}
    >
      <Stack>
        <TextInput
          label={session.email}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
          withAsterisk={false}
        />
        <PasswordInput
          label={session.password}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": session.showPassword }}
        />
        {asksFactor && (
          <TextInput
            label={session.secondFactor}
            name="secondFactor"
            autoComplete="one-time-code"
            required
            withAsterisk={false}
          />
        )}
        <Problem error={isFirstAsking ? null : logIn.error} />
        <Button type="submit" loading={logIn.isPending}>
          {session.logIn}
        </Button>
      </Stack>
    </form>
  );
}
