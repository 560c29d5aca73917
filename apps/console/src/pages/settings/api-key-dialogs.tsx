import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import type { ApiKeyList, MadeApiKey, Scope } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { limits } from "@sineta/protocol/limits";
import { bodyOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/problem.tsx";
import { tidyName } from "../../parts/tidy-text.ts";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { apiKeysQuery } from "./queries.ts";
import { ShownOnce } from "./shown-once.tsx";
import type { TypedForm } from "./use-typed.ts";
import { isolated } from "../../parts/isolated.ts";

const scopes: readonly Scope[] = ["send", "read", "manage"];
const dayMs = 86_400_000;

/** What a new key is like before anything is chosen. */
export const newApiKey = { name: "", chosen: ["send", "read"] as string[], days: "365" };

/** Makes a key, behind `path`, and reads the list anew: the key is shown beside it. */
function useMake(path: string) {
  const project = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: object) =>
      bodyOf(ask<MadeApiKey>("POST", `${project.path}/${path}`, { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: apiKeysQuery(project).queryKey }),
  });
}

/** Asks for what a key shall be, then shows it, this once. */
export function CreateApiKey({
  form,
  onClose,
}: {
  form: TypedForm<typeof newApiKey>;
  onClose: () => void;
}) {
  const { settings, frame } = useTexts();
  const texts = settings.apiKeys;
  const make = useMake("api-keys");
  const { name, chosen, days } = form.shown;
  const close = () => {
    form.forget();
    onClose();
  };
  return (
    <Dialog isOpen title={texts.create} onClose={close} isFinal={make.isSuccess}>
      {make.isSuccess ? (
        <ShownOnce label={texts.key} lines={[make.data.key]} onKept={close} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const expiresAt = new Date(Date.now() + Number(days) * dayMs).toISOString();
            const key = {
              name: tidyName(name),
              scopes: chosen,
              ...(days === "0" ? {} : { expiresAt }),
            };
            make.mutate(key, { onSuccess: form.forget });
          }}
        >
          <Stack>
            <TextInput
              label={texts.name}
              description={texts.nameWhat}
              maxLength={limits.apiKeyNameCharacters}
              required
              withAsterisk={false}
              value={name}
              onChange={(event) => form.type({ name: event.currentTarget.value.trimStart() })}
              data-autofocus
            />
            <Checkbox.Group
              label={texts.may}
              value={chosen}
              onChange={(now) => form.type({ chosen: now })}
            >
              <Stack gap="xs" mt="xs">
                {scopes.map((scope) => (
                  <Checkbox
                    key={scope}
                    value={scope}
                    label={texts.scopes[scope].name}
                    description={texts.scopes[scope].what}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
            <NativeSelect
              label={texts.expiry}
              value={days}
              onChange={(event) => form.type({ days: event.currentTarget.value })}
              data={[
                ...[30, 90, 365].map((each) => ({
                  value: String(each),
                  label: texts.inDays(each),
                })),
                { value: "0", label: texts.never },
              ]}
            />
            <Problem error={make.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {frame.cancel}
              </Button>
              <Button type="submit" loading={make.isPending} disabled={chosen.length === 0}>
                {texts.create}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

/** Makes a successor, and says how long the old one is good for. */
export function RotateApiKey({
  apiKey,
  onClose,
}: {
  apiKey: ApiKeyList["apiKeys"][number];
  onClose: () => void;
}) {
  const { settings, frame } = useTexts();
  const texts = settings.apiKeys;
  const rotate = useMake(`api-keys/${apiKey.prefix}/rotate`);
  const [grace, setGrace] = useState("86400");
  return (
    <Dialog
      isOpen
      title={texts.rotateNamed(isolated(apiKey.name || apiKey.prefix))}
      onClose={onClose}
      isFinal={rotate.isSuccess}
    >
      {rotate.isSuccess ? (
        <ShownOnce label={texts.key} lines={[rotate.data.key]} onKept={onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            rotate.mutate({ graceSeconds: Number(grace) });
          }}
        >
          <Stack>
            <p>{texts.rotateWhat}</p>
            <NativeSelect
              label={texts.grace}
              value={grace}
              onChange={(event) => setGrace(event.currentTarget.value)}
              data={Object.entries(texts.graces).map(([value, label]) => ({ value, label }))}
            />
            <Problem error={rotate.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {frame.cancel}
              </Button>
              <Button type="submit" loading={rotate.isPending}>
                {texts.rotate}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
