import { Alert, Button } from "@mantine/core";
import type { MessageRequest, Published } from "@sineta/protocol";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { bodyOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { Problem } from "../../../parts/problem.tsx";
import { useProject } from "../../../session/operator.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { useThisBrowser } from "../../../this-browser/use-this-browser.ts";
import { newId } from "../logic/new-id.ts";
import classes from "./send.module.css";

/** Sends it to the operator's own browser first, at once. */
export function SendHere({ request, onTry }: { request: MessageRequest; onTry: () => boolean }) {
  const { compose } = useTexts();
  const project = useProject();
  const browser = useThisBrowser();
  const { token, busy } = browser;
  const send = useMutation({
    mutationFn: (to: string) => {
      const { scheduleAt: _at, scheduleAtLocal: _local, replaces: _replaced, ...rest } = request;
      const body: MessageRequest = { ...rest, target: { kind: "token", token: to } };
      const headers = { "Idempotency-Key": newId() };
      return bodyOf(ask<Published>("POST", `${project.path}/messages`, { body, headers }));
    },
  });
  if (token === null) {
    return (
      <Button variant="default" loading={busy} onClick={() => browser.enable()}>
        {compose.enableHere}
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="default"
        loading={send.isPending}
        onClick={() => {
          if (onTry()) send.mutate(token);
        }}
      >
        {compose.sendHereFirst}
      </Button>
      <Problem error={send.error} />
      <div aria-live="polite">
        {send.data !== undefined && (
          <Alert color="green">
            {compose.sentHere}{" "}
            <Link className={classes.link ?? ""} to="/avisos/$id" params={{ id: send.data.id }}>
              {compose.seeNotice}
            </Link>
          </Alert>
        )}
      </div>
    </>
  );
}
