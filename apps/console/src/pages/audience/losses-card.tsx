import { Skeleton, Table } from "@mantine/core";
import type { AudienceLosses } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/api-problem.ts";
import { Card } from "../../parts/card.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./audience.module.css";

/** The server's default. */
const days = 30;

/** How many losses there were, by cause, and from how many the registrations have come back. */
export function LossesCard() {
  const { audience } = useTexts();
  const texts = audience.losses;
  const project = useProject();
  const { data, error, refetch } = useQuery({
    queryKey: [project.name, "audience-losses"],
    queryFn: ({ signal }) => read<AudienceLosses>(`${project.path}/audience/losses`, { signal }),
  });
  return (
    <Card title={texts.title} help={texts.what}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      <div className={classes.losses}>
        {data === undefined ? (
          error === null && <Skeleton h="1.25rem" maw="24rem" />
        ) : (
          <Losses losses={data.losses} />
        )}
      </div>
    </Card>
  );
}

/** The others come back as new registrations. */
function comesBack(cause: AudienceLosses["losses"][number]["cause"]): boolean {
  return cause !== "left" && cause !== "removed";
}

function Losses({ losses }: AudienceLosses) {
  const { audience } = useTexts();
  const texts = audience.losses;
  const format = useFormat();
  const lost = losses.reduce((sum, loss) => sum + loss.lost, 0);
  const returned = losses.reduce((sum, loss) => sum + loss.returned, 0);
  if (losses.length === 0) return <p>{texts.none(days)}</p>;
  return (
    <>
      <p>{texts.sum(days, [lost, format.number(lost)], format.number(returned))}</p>
      <details>
        <summary className={classes.summary}>{texts.byCause}</summary>
        <Table striped className={classes.causes} horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{texts.cause}</Table.Th>
              <Table.Th scope="col">{texts.lost}</Table.Th>
              <Table.Th scope="col">{texts.returned}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {losses.map((loss) => (
              <Table.Tr key={loss.cause}>
                <Table.Th scope="row">{texts.causes[loss.cause]}</Table.Th>
                <Table.Td>{format.number(loss.lost)}</Table.Td>
                <Table.Td>{comesBack(loss.cause) ? format.number(loss.returned) : "–"}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </details>
    </>
  );
}
