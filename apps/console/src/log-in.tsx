import type { LogIn as LogInBody, OperatorAnswer } from "@sineta/protocol";
import { useState } from "react";
import { ask } from "./ask.ts";
import { Complaint, Field, PasswordField, valueOf } from "./fields.tsx";
import { texts } from "./texts.ts";

/** Asks for the second factor once the server says that there is one. */
export function LogIn({ onEntered }: { onEntered: (operator: OperatorAnswer) => void }) {
  const [complaint, setComplaint] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [asksFactor, setAsksFactor] = useState(false);

  async function logIn(form: FormData): Promise<void> {
    setBusy(true);
    const body: LogInBody = {
      email: valueOf(form, "email"),
      password: valueOf(form, "password"),
      ...(asksFactor ? { secondFactor: valueOf(form, "secondFactor") } : {}),
    };
    const answer = await ask<OperatorAnswer>("POST", "session", body);
    setBusy(false);
    if (answer.ok) onEntered(answer.body);
    else if (answer.code === "second-factor-missing" && !asksFactor) {
      setComplaint(null);
      setAsksFactor(true);
    } else setComplaint(answer.code);
  }

  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        void logIn(new FormData(event.currentTarget));
      }}
    >
      <h1>{texts.logIn}</h1>
      <Field label={texts.email} name="email" type="email" autoComplete="username" />
      <PasswordField />
      {asksFactor && (
        <Field label={texts.secondFactor} name="secondFactor" autoComplete="one-time-code" />
      )}
      <Complaint code={complaint} />
      <button type="submit" disabled={isBusy}>
        {texts.logIn}
      </button>
    </form>
  );
}
