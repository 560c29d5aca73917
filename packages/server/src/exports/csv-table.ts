import { csvBeginning, csvLine } from "./csv.ts";
import { createWording, type ColumnName, type CsvStyle, type Wording } from "./wording.ts";

/** One column of a table, for rows of one kind. */
export type Column<Row> = {
  name: ColumnName;
  cell: (row: Row, wording: Wording) => string | number;
  /** Its cells are moments: the heading says in which time zone. */
  isMoment?: true;
};

/** A column of moments. */
export function momentColumn<Row>(
  name: ColumnName,
  momentOf: (row: Row) => number | null,
): Column<Row> {
  return { name, cell: (row, { moment }) => moment(momentOf(row)), isMoment: true };
}

/**
 * A table as CSV, piece by piece: first its headings, then the lines of each page. A page is read when the piece before has been
 * taken.
 */
export async function* csvTable<Row>(
  columns: readonly Column<Row>[],
  pages: AsyncIterable<readonly Row[]>,
  style: CsvStyle,
): AsyncGenerator<string> {
  const { separator } = style;
  const wording = createWording(style);
  const headings = columns.map(({ name, isMoment }) => {
    const heading = wording.heading(name);
    return isMoment && wording.zone !== null ? `${heading} (${wording.zone})` : heading;
  });
  yield csvBeginning + csvLine(headings, separator);
  for await (const rows of pages) {
    yield rows.map((row) => csvLine(cellsOf(row, columns, wording), separator)).join("");
  }
}

function cellsOf<Row>(
  row: Row,
  columns: readonly Column<Row>[],
  wording: Wording,
): (string | number)[] {
  return columns.map(({ cell }) => cell(row, wording));
}
