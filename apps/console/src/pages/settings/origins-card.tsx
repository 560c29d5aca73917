import { Button, Group, Skeleton, Stack, TextInput } from "@mantine/core";
import type { Installation, OriginUse } from "@sineta/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { codeOf } from "../../api/api-problem.ts";
import { Card } from "../../parts/card.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useChangeSettings } from "../../project/settings.ts";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { originUseQuery } from "./queries.ts";
import classes from "./rows.module.css";
import { leftToRight } from "../../app/theme.ts";

type Origin = OriginUse["origins"][number];

/** Where pages may register: shown to everybody; changed by owners, unless SINETA_ORIGINS rules. */
export function OriginsCard({ installation }: { installation: Installation | undefined }) {
  const { settings } = useTexts();
  const texts = settings.origins;
  const isOwner = useProject().may("owner");
  return (
    <Card title={texts.title} help={texts.what}>
      {installation === undefined && <Skeleton height={72} />}
      {installation !== undefined && (isOwner ? <Counted {...{ installation }} /> : null)}
      {installation !== undefined && !isOwner && (
        <Rows installation={installation} origins={namesAlone(installation)} onRemove={null} />
      )}
      {installation?.originsSource === "environment" && (
        <p className={classes.soft}>
          {texts.byEnvironment} <code>SINETA_ORIGINS</code>
        </p>
      )}
    </Card>
  );
}

function namesAlone({ origins }: Installation): Row[] {
  return origins.map((origin) => ({ origin, registrations: null, allowed: true }));
}

/** For owners: with how many live where. */
function Counted({ installation }: { installation: Installation }) {
  const project = useProject();
  const use = useQuery(originUseQuery(project));
  const [removed, setRemoved] = useState<Origin | null>(null);
  const mayChange = installation.originsSource === "settings";
  return (
    <>
      <Problem error={use.error} onRetry={() => void use.refetch()} />
      <Rows
        installation={installation}
        origins={use.data?.origins ?? namesAlone(installation)}
        onRemove={mayChange && use.data !== undefined ? setRemoved : null}
      />
      {mayChange && <Add installation={installation} />}
      {removed !== null && (
        <Remove installation={installation} removed={removed} onClose={() => setRemoved(null)} />
      )}
    </>
  );
}

/** Without a number for who is not told. */
type Row = Omit<Origin, "registrations"> & { registrations: number | null };

function Rows({
  installation: { ownOrigins },
  origins,
  onRemove,
}: {
  installation: Installation;
  origins: readonly Row[];
  onRemove: ((origin: Origin) => void) | null;
}) {
  const { settings } = useTexts();
  const texts = settings.origins;
  const format = useFormat();
  const live = (count: number) => texts.live(count, format.number(count));
  const own = origins.filter(({ origin }) => ownOrigins.includes(origin));
  const liveOnOwn = own.reduce((sum, { registrations }) => sum + (registrations ?? 0), 0);
  return (
    <ul className={classes.rows} aria-label={texts.title}>
      <li className={classes.row}>
        <div className={classes.what}>
          {own.map(({ origin }) => (
            <div key={origin}>
              <code>{origin}</code>
            </div>
          ))}
          <p className={classes.soft}>
            {texts.own} {liveOnOwn > 0 && live(liveOnOwn)}
          </p>
        </div>
      </li>
      {origins
        .filter(({ origin }) => !ownOrigins.includes(origin))
        .map(({ origin, registrations, allowed }) => (
          <li key={origin} className={classes.row}>
            <div className={classes.what}>
              <code>{origin}</code>
              {registrations !== null && (
                <p className={classes.soft}>
                  {live(registrations)}
                  {!allowed && <> {texts.noMore}</>}
                </p>
              )}
            </div>
            {onRemove !== null && registrations !== null && allowed && (
              <Button
                variant="default"
                aria-label={texts.removeNamed(origin)}
                onClick={() => onRemove({ origin, registrations, allowed })}
              >
                {texts.remove}
              </Button>
            )}
          </li>
        ))}
    </ul>
  );
}

/** Those that the settings name: Sineta's own are always there. */
function namedIn({ origins, ownOrigins }: Installation): string[] {
  return origins.filter((origin) => !ownOrigins.includes(origin));
}

function useChangeOrigins() {
  const project = useProject();
  const queries = useQueryClient();
  const change = useChangeSettings(project);
  return {
    change,
    to: (origins: string[], then: () => void) =>
      change.mutate(
        { origins },
        {
          onSuccess: () => {
            void queries.invalidateQueries({ queryKey: originUseQuery(project).queryKey });
            then();
          },
        },
      ),
  };
}

function Add({ installation }: { installation: Installation }) {
  const { settings } = useTexts();
  const texts = settings.origins;
  const { change, to } = useChangeOrigins();
  const [typed, setTyped] = useState("");
  const isInvalid = codeOf(change.error) === "body-invalid";
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        to([...namedIn(installation), typed.trim()], () => setTyped(""));
      }}
    >
      <TextInput
        label={texts.origin}
        description={texts.originWhat}
        placeholder={texts.example}
        inputMode="url"
        attributes={leftToRight}
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          change.reset();
          setTyped(event.currentTarget.value);
        }}
        error={isInvalid && texts.invalid}
      />
      <Problem error={isInvalid ? null : change.error} />
      <Group>
        <Button type="submit" loading={change.isPending} disabled={typed.trim() === ""}>
          {texts.add}
        </Button>
      </Group>
    </form>
  );
}

function Remove({
  installation,
  removed: { origin, registrations },
  onClose,
}: {
  installation: Installation;
  removed: Origin;
  onClose: () => void;
}) {
  const { frame, settings } = useTexts();
  const texts = settings.origins;
  const format = useFormat();
  const { change, to } = useChangeOrigins();
  return (
    <Dialog isOpen title={texts.removeNamed(origin)} onClose={onClose}>
      <Stack>
        <p>{texts.removeWhat(registrations, format.number(registrations))}</p>
        <Problem error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {frame.cancel}
          </Button>
          <Button
            color="red"
            loading={change.isPending}
            onClick={() =>
              to(
                namedIn(installation).filter((each) => each !== origin),
                onClose,
              )
            }
          >
            {texts.remove}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
