import { SegmentedControl } from "@mantine/core";
import type { Installation } from "@sineta/protocol";
import { useState } from "react";
import { Copy } from "../../parts/copy.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./install-page.module.css";
import { pagesFirst, snippetOf, type BellColors, type SnippetKind } from "./snippet.ts";

/** What to run and to write, for React or for a page without a framework, each with a button that copies it. */
export function Snippets({
  installation,
  colors,
}: {
  installation: Installation;
  colors: BellColors;
}) {
  const { install } = useTexts();
  const { name: project } = useProject();
  const [kind, setKind] = useState<SnippetKind>("react");
  const [origin = ""] = pagesFirst(installation);
  const server = new URL(installation.serverUrl).origin;
  return (
    <>
      <SegmentedControl
        aria-label={install.snippet}
        className={classes.kinds}
        value={kind}
        onChange={(chosen) => setKind(chosen === "html" ? "html" : "react")}
        data={[
          { value: "react", label: "React" },
          { value: "html", label: install.plainHtml },
        ]}
      />
      <p className={classes.soft}>{install.kinds[kind]}</p>
      <p className={classes.soft}>{install.notOnRegistry}</p>
      {snippetOf(kind, { installation, project, origin, server }, colors).map(({ where, text }) => (
        <section key={where} className={classes.snippet} aria-label={install.where[where]}>
          <header>
            <h3>{install.where[where]}</h3>
            <Copy value={text} />
          </header>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by keyboard. */}
          <pre tabIndex={0}>
            <code>{text}</code>
          </pre>
        </section>
      ))}
      <p className={classes.soft}>{install.workerWhat(installation.worker)}</p>
    </>
  );
}
