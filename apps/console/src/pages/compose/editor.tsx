import { Alert, Button, Skeleton } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { MessageRequest, Published } from "@sineta/protocol";
import { ApiProblem, bodyOf, codeOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Page } from "../../parts/page.tsx";
import { useSite } from "../../project/use-site.ts";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { useThisBrowser } from "../../this-browser/use-this-browser.ts";
import { draftsKey } from "../drafts/use-drafts.ts";
import { noticeKey } from "../notice/notice-query.ts";
import classes from "./compose-page.module.css";
import { AudienceFields } from "./fields/audience-fields.tsx";
import { ContentFields } from "./fields/content-fields.tsx";
import { DeliveryLine } from "./fields/delivery-line.tsx";
import lines from "./fields/line.module.css";
import { WhenFields } from "./fields/when-fields.tsx";
import type { Begun } from "./logic/begin.ts";
import type { LocalCopies } from "./logic/local-copies.ts";
import { newId } from "./logic/new-id.ts";
import { plaintextBytes } from "./logic/plaintext-bytes.ts";
import { needsReview } from "./logic/needs-review.ts";
import { flawsOf, isAboutReplaced } from "./logic/refused.ts";
import { requestOf, targetOf, type Flaws } from "./logic/request.ts";
import { contentOf, type AudienceKind, type Written } from "./logic/written.ts";
import { ChangedElsewhere, SaveLine } from "./send/save-state.tsx";
import { SendProblem } from "./send/send-problem.tsx";
import { SendPanel } from "./send/send-panel.tsx";
import { ReplacedNotice } from "./replaced-notice.tsx";
import { useAutosave } from "./use-autosave.ts";
import { useNow } from "../../parts/use-now.ts";
import { useReach, useSize } from "./use-estimate.ts";

const Previews = lazy(() =>
  import("./previews/previews.tsx").then((module) => ({ default: module.Previews })),
);
const loadReview = () => import("./send/review.tsx");
const Review = lazy(() => loadReview().then((module) => ({ default: module.Review })));

/** The form, what it will look like, and the ways to send it. */
export function Editor({
  id,
  isCopy,
  begun,
  copies,
  onSeeTheirs,
}: {
  id: string;
  isCopy: boolean;
  begun: Begun;
  copies: LocalCopies;
  onSeeTheirs: () => void;
}) {
  const { frame, compose } = useTexts();
  const format = useFormat();
  const project = useProject();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { token: ownToken } = useThisBrowser();
  const [written, setWritten] = useState(begun.written);
  const { autosave, state } = useAutosave({
    id,
    revision: begun.revision,
    path: project.path,
    copies,
    onSaved: () => void queries.invalidateQueries({ queryKey: draftsKey(project) }),
  });
  const site = useSite();
  // It is there already when an operator wants to send without a connection, and can say so.
  useEffect(() => void loadReview().catch(() => undefined), []);
  const nowMs = useNow();
  const [hasTried, setTried] = useState(false);
  const [reviewed, setReviewed] = useState<MessageRequest | null>(null);
  const [wasReviewed, setWasReviewed] = useState(false);

  /** On a phone it may be far above the button. */
  const tooLate = useRef<HTMLDivElement>(null);
  const saved = useRef(begun.isRestored ? null : begun.written);
  useEffect(() => {
    if (saved.current === written) return;
    saved.current = written;
    autosave.change(contentOf(written));
    void navigate({
      to: "/avisos/novo",
      search: { rascunho: id },
      replace: true,
      resetScroll: false,
    });
  }, [written, autosave, navigate, id]);

  const { request, flaws } = requestOf(written, { ownToken, nowMs });
  const target = targetOf(written, ownToken);
  const reach = useReach(project, hasNone(target.flaws) ? target.target : null, ownToken);
  const hasReview = needsReview(
    written,
    reach.isOfThis ? reach.query.data?.registrations : undefined,
  );
  // A target that is there, but wrong, says so at its field.
  const isMissing = Object.values(target.flaws).some(
    (each) => each === "missing" || each === "no-browser",
  );
  const needs: Partial<Record<AudienceKind, string>> = compose.reachNeeds;
  const missing = isMissing ? needs[written.audience] : undefined;
  const contentFlaws = Object.keys(flaws).filter((path) => path.startsWith("notification"));
  const { notification, data } = request;
  const content = { notification, ...(data === undefined ? {} : { data }) };
  const size = useSize(project, contentFlaws.length === 0 ? content : null);
  const bytes =
    (size.isOfThis ? size.query.data?.plaintextBytes : undefined) ??
    plaintextBytes(request, site ?? window.location.origin);

  const send = useMutation({
    // Of what was sent once, the same request is answered with the notice, and another one refused.
    mutationFn: (body: MessageRequest) =>
      bodyOf(ask<Published>("POST", `${project.path}/drafts/${id}/publish`, { body })),
    onSuccess: ({ id: messageId }) => {
      autosave.end();
      void queries.invalidateQueries({ queryKey: [project.name, "messages"] });
      void navigate({ to: "/avisos/$id", params: { id: messageId } });
    },
    onError: (error) => {
      if (codeOf(error) === "draft-published") setReviewed(null);
      // The page says what became of the scheduled notice, and offers a way on.
      if (written.replaces !== "" && isAboutReplaced(error)) {
        setReviewed(null);
        void queries
          .invalidateQueries({ queryKey: noticeKey(project.name, written.replaces) })
          .then(() => requestAnimationFrame(() => tooLate.current?.focus()));
      }
    },
  });
  const said: Flaws = {
    ...(reach.isOfThis ? refusedBy(reach.query.error) : {}),
    ...(size.isOfThis ? refusedBy(size.query.error) : {}),
    ...(send.variables !== undefined && sameBody(send.variables, request)
      ? refusedBy(send.error)
      : {}),
  };
  const all: Flaws = { ...said, ...flaws };
  const change = (part: Partial<Written>) => setWritten((current) => ({ ...current, ...part }));
  const flaw = (path: string) => {
    const what = all[path];
    // Nobody is told to fill in what they have not come to yet.
    if (what === undefined || (what === "missing" && !hasTried)) return undefined;
    if (typeof what === "string") return compose.flaws[what];
    return what.flaw === "unknown-topic"
      ? compose.unknownTopic(what.name)
      : compose.unreadableFrom(format.number(what.position));
  };
  const fields = { written, change, flaw };

  /** Whether nothing keeps it from being sent; else shows what does. */
  function isReady(mind: Flaws): boolean {
    setTried(true);
    if (hasNone(mind)) return true;
    requestAnimationFrame(() => {
      const field = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
      field?.focus();
      // On a phone the bar at the foot says what is wrong. It must not hide the field.
      field?.scrollIntoView({ block: "center" });
    });
    return false;
  }

  function sendOrReview(): boolean {
    if (!isReady(all)) return false;
    if (!hasReview) {
      send.mutate(request);
    } else {
      send.reset();
      setWasReviewed(true);
      setReviewed(request);
    }
    return true;
  }

  function continueAsNew(): void {
    const next = newId();
    copies.keep({
      id: next,
      revision: 0,
      content: contentOf({ ...written, replaces: "" }),
      savedAtMs: Date.now(),
    });
    autosave.end();
    void navigate({ to: "/avisos/novo", search: { rascunho: next } });
  }

  return (
    <Page
      title={written.replaces === "" ? frame.newNotice : compose.editNotice}
      status={<SaveLine state={state} />}
      actions={
        <Button component={Link} to="/avisos/rascunhos" variant="default">
          {frame.drafts}
        </Button>
      }
    >
      {begun.isRestored && <Alert>{compose.restored}</Alert>}
      {isCopy && <Alert>{compose.copied}</Alert>}
      {written.replaces !== "" && state.kind !== "published" && (
        <ReplacedNotice
          id={written.replaces}
          tooLate={tooLate}
          onContinue={() => change({ replaces: "" })}
        />
      )}
      {state.kind === "changed-elsewhere" && (
        <ChangedElsewhere autosave={autosave} onSeeTheirs={onSeeTheirs} />
      )}
      {state.kind === "published" && (
        <SendProblem error={new ApiProblem(state.refusal)} onContinue={continueAsNew} />
      )}
      <div className={classes.columns}>
        <div className={classes.form}>
          <ContentFields {...fields} />
          <div className={lines.lines}>
            <AudienceFields {...fields} />
            <WhenFields {...fields} />
            <DeliveryLine {...fields} />
          </div>
        </div>
        <SendPanel
          preview={
            <Suspense fallback={<Skeleton height={260} radius="lg" />}>
              <Previews written={written} />
            </Suspense>
          }
          reach={reach.isOfThis ? reach.query.data : undefined}
          isCounting={hasNone(target.flaws) && (reach.query.isFetching || !reach.isOfThis)}
          missing={missing}
          reachError={hasNone(refusedBy(reach.query.error)) ? reach.query.error : null}
          onCountAgain={() => void reach.query.refetch()}
          bytes={bytes}
          flawCount={hasTried ? Object.keys(all).length : 0}
          request={request}
          hasReview={hasReview}
          isScheduled={written.when !== "now"}
          isSending={send.isPending && reviewed === null}
          error={reviewed === null && !isAboutReplaced(send.error) ? send.error : null}
          onSend={sendOrReview}
          onTry={() => isReady(only(all, "notification"))}
          onContinue={continueAsNew}
        />
      </div>
      <Suspense>
        {wasReviewed && (
          <Review
            request={reviewed}
            written={written}
            error={send.error}
            isSending={send.isPending}
            onSend={() => send.mutate(reviewed ?? request)}
            onClose={() => setReviewed(null)}
          />
        )}
      </Suspense>
    </Page>
  );
}

function hasNone(flaws: Flaws): boolean {
  return Object.keys(flaws).length === 0;
}

function only(flaws: Flaws, part: string): Flaws {
  return Object.fromEntries(Object.entries(flaws).filter(([path]) => path.startsWith(part)));
}

function refusedBy(error: unknown): Flaws {
  return error instanceof ApiProblem ? flawsOf(error.refusal) : {};
}

function sameBody(one: MessageRequest, other: MessageRequest): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
