import type { OperatorAnswer, Role } from "@sineta/protocol";
import { useEffect, useState } from "react";
import { ask, type Answer } from "./ask.ts";
import { Complaint, Field, PasswordField, valueOf } from "./fields.tsx";
import { texts } from "./texts.ts";

type Shown = { project: string; role: Role; email: string | null };

/** Makes whoever has the link an operator; for who is logged in already, adds the role. */
export function Invitation({
  token,
  operator,
  onEntered,
}: {
  token: string;
  operator: OperatorAnswer | null;
  onEntered: (operator: OperatorAnswer) => void;
}) {
  const [shown, setShown] = useState<Answer<Shown> | null>(null);
  const [complaint, setComplaint] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    let isHere = true;
    void ask<Shown>("POST", "invitations/look", { token }).then((answer) => {
      if (isHere) setShown(answer);
    });
    return () => {
      isHere = false;
    };
  }, [token]);

  async function accept(who: object): Promise<void> {
    setBusy(true);
    const answer = await ask<OperatorAnswer>("POST", "invitations/accept", { token, ...who });
    setBusy(false);
    if (answer.ok) onEntered(answer.body);
    else setComplaint(answer.code);
  }

  if (shown === null) return <output>{texts.loading}</output>;
  if (!shown.ok) {
    return (
      <div className="card">
        <Complaint code={shown.code} />
        <a href="/painel/">{texts.toLogIn}</a>
      </div>
    );
  }
  const { project, role, email } = shown.body;
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        void accept(
          operator === null
            ? {
                email: valueOf(form, "email"),
                name: valueOf(form, "name"),
                password: valueOf(form, "password"),
              }
            : {},
        );
      }}
    >
      <h1>{texts.invitedAs(texts.roles[role], project)}</h1>
      {operator === null ? (
        <>
          <p>{texts.firstOwner}</p>
          <Field
            label={texts.email}
            name="email"
            type="email"
            autoComplete="username"
            {...(email === null ? {} : { defaultValue: email, readOnly: true })}
          />
          <Field label={texts.name} name="name" autoComplete="name" maxLength={100} />
          <PasswordField isNew />
        </>
      ) : (
        <p>{texts.acceptAs(operator.email)}</p>
      )}
      <Complaint code={complaint} />
      <button type="submit" disabled={isBusy}>
        {operator === null ? texts.createAccount : texts.acceptInvitation}
      </button>
    </form>
  );
}
