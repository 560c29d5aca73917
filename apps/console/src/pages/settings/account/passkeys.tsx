import { Button, Skeleton, Stack, TextInput } from "@mantine/core";
import type { Account, PasskeyList } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { limits } from "@sineta/protocol/limits";
import { bodyOf, codeOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { Card } from "../../../parts/card.tsx";
import { ConfirmByWord } from "../../../parts/confirm-by-word.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { Sentence } from "../../../parts/sentence.tsx";
import { Relative, When } from "../../../parts/when.tsx";
import { deviceName } from "../../../session/device-name.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { tidyName } from "../../../parts/tidy-text.ts";
import { readAccountAnew } from "../queries.ts";
import classes from "../rows.module.css";
import { makePasskey, PasskeyRefused } from "./make-passkey.ts";
import { PasswordForm } from "./password-form.tsx";
import { isolated } from "../../../parts/isolated.ts";

type Passkey = Account["passkeys"][number];

/** Keys of the operator's devices, which log in without a password. */
export function Passkeys({ account }: { account: Account | undefined }) {
  const { settings } = useTexts();
  const texts = settings.passkeys;
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const isOffered = "PublicKeyCredential" in window && window.isSecureContext;
  return (
    <Card
      title={texts.title}
      help={texts.what}
      actions={isOffered && <Button onClick={() => setAdding(true)}>{texts.add}</Button>}
    >
      {!isOffered && <p className={classes.soft}>{texts.notOffered}</p>}
      {account === undefined && <Skeleton height={60} />}
      <ul className={classes.rows}>
        {account?.passkeys.map((passkey) => (
          <li key={passkey.id} className={classes.row}>
            <div className={classes.what}>
              <strong dir="auto">{passkey.name}</strong>
              {passkey.elsewhere && <p>{texts.elsewhere(passkey.host ?? "")}</p>}
              <p className={classes.soft}>
                <Sentence of={texts.addedAt}>
                  <When at={passkey.createdAt} isAfterVerb />
                </Sentence>{" "}
                ·{" "}
                {passkey.lastUsedAt === null ? (
                  texts.neverUsed
                ) : (
                  <Sentence of={texts.usedAt}>
                    <Relative at={passkey.lastUsedAt} />
                  </Sentence>
                )}
              </p>
            </div>
            <Button
              variant="default"
              aria-label={texts.removeNamed(isolated(passkey.name))}
              onClick={() => setRemoved(passkey)}
            >
              {texts.remove}
            </Button>
          </li>
        ))}
      </ul>
      <Dialog isOpen={isAdding} title={texts.add} onClose={() => setAdding(false)}>
        <Add onDone={() => setAdding(false)} />
      </Dialog>
      {removed !== null && <Remove passkey={removed} onClose={() => setRemoved(null)} />}
    </Card>
  );
}

function Add({ onDone }: { onDone: () => void }) {
  const { settings, session } = useTexts();
  const texts = settings.passkeys;
  const queries = useQueryClient();
  const [name, setName] = useState(() => deviceName(navigator.userAgent, session));
  /** Whoever logged in more than 10 minutes ago types it again. */
  const [asksForPassword, setAsksForPassword] = useState(false);
  const add = useMutation({
    onError: (error) => {
      if (codeOf(error) === "password-missing") setAsksForPassword(true);
    },
    mutationFn: async (password: string | undefined) => {
      const body = password === undefined ? {} : { password };
      const options = await bodyOf(ask<object>("POST", "session/passkeys/options", { body }));
      const credential = await makePasskey(options);
      return bodyOf(
        ask<PasskeyList>("POST", "session/passkeys", {
          body: { name: tidyName(name), credential },
        }),
      );
    },
    onSuccess: async () => {
      await readAccountAnew(queries);
      onDone();
    },
  });
  const field = (
    <TextInput
      label={texts.name}
      description={texts.nameWhat}
      required
      withAsterisk={false}
      maxLength={limits.operatorNameCharacters}
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
    />
  );
  if (asksForPassword) {
    return (
      <PasswordForm
        action={texts.add}
        error={add.error}
        isBusy={add.isPending}
        onSubmit={(password) => add.mutate(password)}
      >
        {field}
      </PasswordForm>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(undefined);
      }}
    >
      <Stack>
        {field}
        {add.error instanceof PasskeyRefused ? (
          <p role="alert">{texts.refused}</p>
        ) : (
          <Problem error={add.error} />
        )}
        <Button type="submit" loading={add.isPending} disabled={tidyName(name) === ""}>
          {texts.add}
        </Button>
      </Stack>
    </form>
  );
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { settings } = useTexts();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => bodyOf(ask("DELETE", `session/passkeys/${passkey.id}`)),
    onSuccess: async () => {
      await readAccountAnew(queries);
      onClose();
    },
  });
  return (
    <ConfirmByWord
      isOpen
      title={settings.passkeys.removeNamed(isolated(passkey.name))}
      word="remove"
      action={settings.passkeys.remove}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{settings.passkeys.removeWhat}</p>
    </ConfirmByWord>
  );
}
