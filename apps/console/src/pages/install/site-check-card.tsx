import { Button, TextInput } from "@mantine/core";
import type { Finding, SiteCheck } from "@sineta/protocol";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { bodyOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Card } from "../../parts/card.tsx";
import { FindingList, FindingRow } from "../../parts/findings.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./install-page.module.css";
import { leftToRight } from "../../app/theme.ts";

/** The server looks at a page of the site and tells what it lacks. */
export function SiteCheckCard({ origins }: { origins: readonly string[] }) {
  const { install, session } = useTexts();
  const project = useProject();
  const [typed, setTyped] = useState<string | null>(null);
  const url = typed ?? (origins[0] === undefined ? "" : `${origins[0]}/`);
  const check = useMutation({
    mutationFn: () =>
      bodyOf(ask<SiteCheck>("POST", `${project.path}/site-checks`, { body: { url } })),
  });
  return (
    <Card title={install.check} help={install.checkWhat}>
      {project.may("editor") ? (
        <form
          className={classes.check}
          onSubmit={(event) => {
            event.preventDefault();
            check.mutate();
          }}
        >
          <TextInput
            type="url"
            attributes={leftToRight}
            label={install.page}
            required
            withAsterisk={false}
            value={url}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              // What was found at another address says nothing of this one.
              check.reset();
            }}
          />
          <Button type="submit" loading={check.isPending}>
            {install.look}
          </Button>
        </form>
      ) : (
        <p>{session.mayNot(session.roles.editor)}</p>
      )}
      <Problem error={check.error} />
      <div aria-live="polite">
        {check.data !== undefined && <Findings findings={check.data.findings} />}
      </div>
    </Card>
  );
}

const hasTodo: ReadonlySet<Finding["state"]> = new Set(["warning", "missing"]);

/** If several findings have one code, the last of them says what to do. */
function Findings({ findings }: { findings: readonly Finding[] }) {
  const { install } = useTexts();
  const missing = findings.filter(({ state }) => state === "missing").length;
  const unknown = findings.find(({ state }) => state === "unknown");
  return (
    <>
      <p>
        <strong>
          {missing > 0 && install.somethingMissing(missing)}
          {missing === 0 && !unknown && install.nothingMissing}
          {missing === 0 &&
            unknown &&
            (unknown.code === "page-reachable" ? install.pageUnknown : install.restUnknown)}
        </strong>
      </p>
      <FindingList>
        {findings.map(({ code, state, reason, seen }, index) => (
          <FindingRow
            key={`${code} ${reason}`}
            state={state}
            name={install.findings[code].name}
            badge={install.states[state]}
          >
            <p>{sentence(install.reasons[reason], install.findings[code].reasons, reason)}</p>
            {/* Of what was not looked at, the reason says what to do. */}
            {hasTodo.has(state) && index === findings.findLastIndex((one) => one.code === code) && (
              <p className={classes.soft}>{install.findings[code].todo}</p>
            )}
            {seen !== null && (
              <p className={classes.soft}>
                {install.seen} <code>{seen}</code>
              </p>
            )}
          </FindingRow>
        ))}
      </FindingList>
    </>
  );
}

/** What is said of this reason here, where it is not what is said of it everywhere. */
function sentence(
  usual: string,
  own: Readonly<Partial<Record<Finding["reason"], string>>>,
  reason: Finding["reason"],
): string {
  return own[reason] ?? usual;
}
