import { Button, Group, Skeleton, Stack, TextInput } from "@mantine/core";
import type { Account, RecoveryCodes, TotpOffer } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { bodyOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { Card } from "../../../parts/card.tsx";
import { Copy } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { useTexts } from "../../../texts/use-texts.tsx";
import { readAccountAnew } from "../queries.ts";
import classes from "../rows.module.css";
import { ShownOnce } from "../shown-once.tsx";
import { PasswordForm } from "./password-form.tsx";
import { QrCode } from "./qr-code.tsx";

type Doing = "add" | "replace" | "remove";

/** What log-in asks for after the password: codes of an authenticator application, and recovery codes. */
export function SecondFactor({ account }: { account: Account | undefined }) {
  const { settings } = useTexts();
  const texts = settings.secondFactor;
  const [doing, setDoing] = useState<Doing | null>(null);
  const titles = { add: texts.add, replace: texts.newCodes, remove: texts.remove };
  /** While codes are shown, this once, nothing but the button below them closes the dialog. */
  const [isFinal, setFinal] = useState(false);
  const onShown = () => setFinal(true);
  const close = () => {
    setDoing(null);
    setFinal(false);
  };
  return (
    <Card title={texts.title}>
      {account === undefined ? (
        <Skeleton height={80} />
      ) : (
        <>
          <p>
            {account.secondFactor === null
              ? texts.isOff
              : texts.isOn(account.secondFactor.recoveryCodesLeft)}
          </p>
          <Group>
            {account.secondFactor === null ? (
              <Button onClick={() => setDoing("add")}>{texts.add}</Button>
            ) : (
              <>
                <Button variant="default" onClick={() => setDoing("replace")}>
                  {texts.newCodes}
                </Button>
                <Button variant="default" onClick={() => setDoing("remove")}>
                  {texts.remove}
                </Button>
              </>
            )}
          </Group>
        </>
      )}
      <Dialog
        isOpen={doing !== null}
        title={doing === null ? "" : titles[doing]}
        onClose={close}
        isFinal={isFinal}
      >
        {doing === "add" && <Add onShown={onShown} onDone={close} />}
        {doing === "replace" && <Replace onShown={onShown} onDone={close} />}
        {doing === "remove" && <Remove onDone={close} />}
      </Dialog>
    </Card>
  );
}

/** Asks, and then reads the account anew. */
function useAsk<Body>(method: "POST" | "DELETE", path: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => bodyOf(ask<Body>(method, path, { body })),
    onSuccess: () => readAccountAnew(queries),
  });
}

/** First the password, then the secret for the application, then a first code, then the recovery codes. */
function Add({ onShown, onDone }: { onShown: () => void; onDone: () => void }) {
  const { settings } = useTexts();
  const texts = settings.secondFactor;
  const offer = useAsk<TotpOffer>("POST", "session/totp");
  const confirm = useAsk<RecoveryCodes>("POST", "session/totp/confirm");
  const [code, setCode] = useState("");
  if (confirm.isSuccess) return <Codes codes={confirm.data} onDone={onDone} />;
  if (!offer.isSuccess) {
    return (
      <PasswordForm
        action={texts.next}
        error={offer.error}
        isBusy={offer.isPending}
        onSubmit={(password) => offer.mutate({ password })}
      />
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate({ code }, { onSuccess: onShown });
      }}
    >
      <Stack>
        <p>{texts.putIntoApplication}</p>
        <QrCode text={offer.data.uri} label={texts.qrCode} />
        <Group>
          <Button component="a" href={offer.data.uri} variant="default">
            {texts.openApplication}
          </Button>
        </Group>
        <section aria-label={texts.secret}>
          <code className={classes.secret}>{inGroups(offer.data.secret)}</code>
        </section>
        <Group>
          <Copy value={offer.data.secret} label={texts.copySecret} />
        </Group>
        <CodeInput label={texts.firstCode} value={code} onChange={setCode} />
        <Problem error={confirm.error} />
        <Button type="submit" loading={confirm.isPending} disabled={code.trim() === ""}>
          {texts.confirm}
        </Button>
      </Stack>
    </form>
  );
}

/** As it is easier to type. */
function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

function Replace({ onShown, onDone }: { onShown: () => void; onDone: () => void }) {
  const { settings } = useTexts();
  const replace = useAsk<RecoveryCodes>("POST", "session/recovery-codes");
  if (replace.isSuccess) return <Codes codes={replace.data} onDone={onDone} />;
  return (
    <Stack>
      <p>{settings.secondFactor.newCodesWhat}</p>
      <PasswordForm
        action={settings.secondFactor.newCodes}
        error={replace.error}
        isBusy={replace.isPending}
        onSubmit={(password) => replace.mutate({ password }, { onSuccess: onShown })}
      />
    </Stack>
  );
}

function Remove({ onDone }: { onDone: () => void }) {
  const { settings } = useTexts();
  const texts = settings.secondFactor;
  const remove = useAsk("DELETE", "session/totp");
  const [code, setCode] = useState("");
  return (
    <Stack>
      <p>{texts.removeWhat}</p>
      <PasswordForm
        action={texts.remove}
        error={remove.error}
        isBusy={remove.isPending}
        isDangerous
        onSubmit={(password) => remove.mutate({ password, code }, { onSuccess: onDone })}
      >
        <CodeInput label={texts.codeOrRecovery} value={code} onChange={setCode} />
      </PasswordForm>
    </Stack>
  );
}

function Codes({ codes, onDone }: { codes: RecoveryCodes; onDone: () => void }) {
  const { settings } = useTexts();
  return (
    <Stack>
      <p>{settings.secondFactor.codesWhat}</p>
      <ShownOnce label={settings.secondFactor.codes} lines={codes.recoveryCodes} onKept={onDone} />
    </Stack>
  );
}

function CodeInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
