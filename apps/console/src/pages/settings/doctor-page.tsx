import { Button, Skeleton } from "@mantine/core";
import type { DoctorFinding } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Card } from "../../parts/card.tsx";
import { FindingList, FindingRow } from "../../parts/findings.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { FindingWords } from "./doctor/finding-words.tsx";
import { OwnersOnly } from "./owners-only.tsx";
import { doctorQuery } from "./queries.ts";
import rows from "./rows.module.css";

/** What the server finds when it looks at itself, as `sineta doctor` does. */
export function DoctorPage() {
  const { settings } = useTexts();
  return (
    <Page title={settings.doctor.title}>
      <OwnersOnly>
        <Examination />
      </OwnersOnly>
    </Page>
  );
}

function Examination() {
  const { doctor } = useTexts();
  const { data, error, isFetching, refetch } = useQuery(doctorQuery(useProject()));
  const examine = () => void refetch({ cancelRefetch: false });
  const findings = data?.findings ?? [];
  return (
    <>
      <Card
        title={doctor.card}
        help={
          <>
            {doctor.what} <code>sineta doctor</code>
          </>
        }
        actions={
          // A button that is disabled would lose the focus.
          <Button
            variant="default"
            aria-disabled={isFetching}
            data-disabled={isFetching}
            onClick={examine}
          >
            {doctor.again}
          </Button>
        }
      >
        <output>
          <strong>
            {isFetching && doctor.examining}
            {!isFetching && error === null && summaryOf(findings, doctor)}
          </strong>
        </output>
        <Problem error={isFetching ? null : error} onRetry={examine} />
      </Card>
      {data === undefined && isFetching && <Skeleton height={140} radius="lg" />}
      <Faults findings={findings} state="to-do" />
      <Faults findings={findings} state="unknown" />
      <Well findings={findings} />
    </>
  );
}

function summaryOf(
  findings: readonly DoctorFinding[],
  doctor: ReturnType<typeof useTexts>["doctor"],
): string {
  const count = (sought: DoctorFinding["state"]) =>
    findings.filter(({ state }) => state === sought).length;
  const toDo = count("to-do");
  const notSeen = count("unknown");
  if (toDo + notSeen === 0) return doctor.allWell;
  return [toDo > 0 && doctor.toDo(toDo), notSeen > 0 && doctor.notSeen(notSeen)]
    .filter((words) => words !== false)
    .join(" ");
}

const marks = { "to-do": "warning", unknown: "unknown" } as const;

function Faults({
  findings,
  state,
}: {
  findings: readonly DoctorFinding[];
  state: keyof typeof marks;
}) {
  const { delivery, doctor } = useTexts();
  const shown = findings.filter((finding) => finding.state === state);
  if (shown.length === 0) return null;
  return (
    <Card title={doctor.groups[state]}>
      <FindingList>
        {shown.map((finding) => {
          const { title, remedy } = doctor.findings[finding.code];
          return (
            <FindingRow
              key={keyOf(finding)}
              state={marks[state]}
              name={doctor.checks[finding.check]}
            >
              <p>
                <FindingWords text={title} finding={finding} />
              </p>
              {remedy !== "" && (
                <p className={rows.soft}>
                  <FindingWords text={remedy} finding={finding} />
                </p>
              )}
              {finding.code === "delivery-held" && <Link to="/ajustes/envio">{delivery.open}</Link>}
            </FindingRow>
          );
        })}
      </FindingList>
    </Card>
  );
}

function Well({ findings }: { findings: readonly DoctorFinding[] }) {
  const { doctor } = useTexts();
  const well = findings.filter(({ state }) => state === "ok");
  const checks = new Set(well.map(({ check }) => check));
  if (checks.size === 0) return null;
  return (
    <Card title={doctor.groups.ok}>
      <FindingList>
        {Array.from(checks, (check) => (
          <FindingRow key={check} state="ok" name={doctor.checks[check]}>
            {well
              .filter((finding) => finding.check === check)
              .map((finding) => (
                <p key={keyOf(finding)}>
                  <FindingWords text={doctor.findings[finding.code].title} finding={finding} />
                </p>
              ))}
          </FindingRow>
        ))}
      </FindingList>
    </Card>
  );
}

function keyOf({ code, subject, seen }: DoctorFinding): string {
  return `${code} ${subject} ${seen}`;
}
