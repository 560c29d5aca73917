import { useId, useState, type ComponentProps } from "react";
import { problemText, texts } from "./texts.ts";

type FieldProps = Pick<
  ComponentProps<"input">,
  "autoComplete" | "type" | "maxLength" | "defaultValue" | "readOnly"
> & { label: string; name: string; hint?: string };

/** A labelled field that must be filled in. */
export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        required
        {...input}
        {...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="soft">
          {hint}
        </p>
      )}
    </div>
  );
}

/** A password, which its owner may look at. */
export function PasswordField({ isNew = false }: { isNew?: boolean }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Field
        label={texts.password}
        name="password"
        type={isShown ? "text" : "password"}
        autoComplete={isNew ? "new-password" : "current-password"}
        {...(isNew ? { hint: texts.passwordHint } : {})}
      />
      <label className="check">
        <input type="checkbox" checked={isShown} onChange={() => setShown(!isShown)} />
        {texts.showPassword}
      </label>
    </>
  );
}

/** What went wrong, told at once to who cannot see it. */
export function Complaint({ code }: { code: string | null }) {
  return (
    <div role="alert">{code !== null && <p className="complaint">{problemText(code)}</p>}</div>
  );
}

/** What stands in a form's field. */
export function valueOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
