import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import type { InvitationShown, OperatorAnswer } from "@sineta/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { limits } from "@sineta/protocol/limits";
import { useEffect, useState } from "react";
import { bodyOf, codeOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Outside } from "../../app/outside.tsx";
import { pageTitle, takeLostFocus } from "../../parts/lost-focus.ts";
import { Problem } from "../../parts/problem.tsx";
import { tidyName } from "../../parts/tidy-text.ts";
import { LogInForm } from "../../session/log-in-form.tsx";
import { operatorQuery } from "../../session/operator.ts";
import { valueOf } from "../../session/value-of.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { isolated } from "../../parts/isolated.ts";

/** Makes whoever has the link an operator; for who is logged in already, adds the role. */
export function InvitationPage() {
  const { session, frame } = useTexts();
  // The token stands behind the #, which browsers send to nobody.
  const token = useLocation({ select: ({ hash }) => hash });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const operator = useQuery(operatorQuery);
  /** The e-mail to log in with, once the reader has chosen to log in. Empty: it is not known. */
  const [account, setAccount] = useState<string | null>(null);
  const shown = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => bodyOf(ask<InvitationShown>("POST", "invitations/look", { body: { token } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const accept = useMutation({
    mutationFn: (who: { email?: string; name?: string; password?: string }) =>
      bodyOf(ask<OperatorAnswer>("POST", "invitations/accept", { body: { token, ...who } })),
    onSuccess: (entered) => {
      queries.setQueryData(operatorQuery.queryKey, entered);
      // Whoever has just become an owner is shown around; it goes on from what is there already.
      const isNewOwner = operator.data === null && shown.data?.role === "owner";
      void navigate({ to: isNewOwner ? "/comecar" : "/", replace: true });
    },
  });

  if (shown.isError) {
    return (
      <Outside title={frame.console}>
        <Problem error={shown.error} />
        <Link to="/entrar" search={{ voltar: "/" }}>
          {session.toLogIn}
        </Link>
      </Outside>
    );
  }
  if (shown.data === undefined || operator.data === undefined) {
    return <Outside title={frame.console}>{frame.loading}</Outside>;
  }
  const { project, displayName, role, email } = shown.data;
  const isKnown = operator.data !== null;
  const title = session.invitedAs(session.roles[role], isolated(displayName || project));
  if (!isKnown && account !== null) {
    return (
      <Outside title={title}>
        <LogInInstead
          email={account}
          onEntered={(entered) => void queries.setQueryData(operatorQuery.queryKey, entered)}
          onBack={() => setAccount(null)}
        />
      </Outside>
    );
  }
  return (
    <Outside title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const who = {
            email: valueOf(form, "email"),
            name: tidyName(valueOf(form, "name")),
            password: valueOf(form, "password"),
          };
          accept.mutate(isKnown ? {} : who);
        }}
      >
        <Stack>
          {operator.data === null ? (
            <>
              <p>{session.firstOwner}</p>
              <TextInput
                label={session.email}
                name="email"
                type="email"
                autoComplete="username"
                required
                withAsterisk={false}
                {...(email === null ? {} : { defaultValue: email, readOnly: true })}
              />
              <TextInput
                label={session.name}
                name="name"
                autoComplete="name"
                maxLength={limits.operatorNameCharacters}
                required
                withAsterisk={false}
              />
              <PasswordInput
                label={session.password}
                description={session.passwordHint}
                name="password"
                autoComplete="new-password"
                required
                withAsterisk={false}
                visibilityToggleButtonProps={{ "aria-label": session.showPassword }}
              />
            </>
          ) : (
            <p>{session.acceptAs(operator.data.email)}</p>
          )}
          <Problem error={accept.error} />
          <Button type="submit" loading={accept.isPending}>
            {isKnown ? session.acceptInvitation : session.createAccount}
          </Button>
          {!isKnown && (
            <Button
              variant="subtle"
              onClick={() => {
                const isTaken = codeOf(accept.error) === "email-taken";
                setAccount((isTaken && accept.variables?.email) || (email ?? ""));
                accept.reset();
              }}
            >
              {session.hasAccount}
            </Button>
          )}
        </Stack>
      </form>
    </Outside>
  );
}

/** For a reader who has an account. Both ways the focus goes to the page's title: the button that had it is gone. */
function LogInInstead({
  email,
  onEntered,
  onBack,
}: {
  email: string;
  onEntered: (operator: OperatorAnswer) => void;
  onBack: () => void;
}) {
  const { session } = useTexts();
  useEffect(() => {
    takeLostFocus(pageTitle());
    return () => takeLostFocus(pageTitle());
  }, []);
  return (
    <Stack>
      <LogInForm email={email} onEntered={onEntered} />
      <Button variant="subtle" onClick={onBack}>
        {session.createAccount}
      </Button>
    </Stack>
  );
}
