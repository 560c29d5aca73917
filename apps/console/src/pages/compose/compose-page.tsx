import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { Page } from "../../parts/page.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Editor } from "./editor.tsx";
import { begin, type Source } from "./logic/begin.ts";
import { newId } from "./logic/new-id.ts";
import { SendProblem } from "./send/send-problem.tsx";
import { validateComposeSearch, type ComposeSearch } from "./search.ts";
import { useLocalCopies } from "./use-local-copies.ts";

const route = getRouteApi("/inside/avisos/novo");

type Beginning = { id: string; source: Source; search: ComposeSearch };

function beginningOf(search: ComposeSearch): Beginning {
  const { rascunho, copiar, editar } = search;
  if (rascunho !== undefined) return { id: rascunho, source: { kind: "draft" }, search };
  if (copiar !== undefined) {
    return { id: newId(), source: { kind: "copy", messageId: copiar }, search };
  }
  if (editar !== undefined) {
    return { id: newId(), source: { kind: "edit", messageId: editar }, search };
  }
  return { id: newId(), source: { kind: "new" }, search };
}

/** Novo aviso: an empty one, a draft, one like a message, or one in the place of a scheduled message. */
export function ComposePage() {
  const { frame, session } = useTexts();
  const project = useProject();
  const search = route.useSearch({ select: validateComposeSearch });
  const [beginning, setBeginning] = useState(() => beginningOf(search));
  const before = beginning.search;
  const isOther = (["rascunho", "copiar", "editar"] as const).some(
    (name) => search[name] !== before[name],
  );
  if (isOther) {
    // Its own address, which it gets with the first character, begins nothing anew.
    const isOwn = search.rascunho === beginning.id;
    setBeginning(isOwn ? { ...beginning, search } : beginningOf(search));
  }
  if (!project.may("editor")) {
    return (
      <Page title={frame.newNotice}>
        <p>{session.mayNot(session.roles.editor)}</p>
      </Page>
    );
  }
  return <Begun key={beginning.id} beginning={beginning} />;
}

function Begun({ beginning: { id, source } }: { beginning: Beginning }) {
  const { frame, compose } = useTexts();
  const project = useProject();
  const copies = useLocalCopies();
  const [attempt, setAttempt] = useState(0);
  const begun = useQuery({
    queryKey: [project.name, "beginning", id, source, attempt],
    queryFn: () =>
      // Whoever wants to see what others have made of it sees the draft, however it was begun here.
      begin(attempt === 0 ? source : { kind: "theirs" }, id, { path: project.path, copies }),
    // Whoever types is not interrupted by what they have saved themselves.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (begun.data !== undefined) {
    return (
      <Editor
        key={attempt}
        id={id}
        isCopy={source.kind === "copy"}
        begun={begun.data}
        copies={copies}
        onSeeTheirs={() => {
          copies.forget(id);
          setAttempt(attempt + 1);
        }}
      />
    );
  }
  return (
    <Page title={source.kind === "edit" ? compose.editNotice : frame.newNotice}>
      <SendProblem error={begun.error} onRetry={() => void begun.refetch()} />
      {begun.isError ? (
        <Link to="/avisos/novo">{compose.startAnew}</Link>
      ) : (
        <output aria-label={compose.loading}>
          <Skeleton height={320} radius="lg" />
        </output>
      )}
    </Page>
  );
}
