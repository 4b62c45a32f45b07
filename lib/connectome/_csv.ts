import { DataError } from "../common/mod.ts";

/** One line of a table, with the number of the line it begins on (1 is the first). */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads comma-separated values (RFC 4180): quoted cells may hold commas, line ends and doubled quotes.
 *
 * @param path Named in errors.
 * @throws {DataError} If a quote is never closed.
 */
export function parseCsv(text: string, path: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = "";
  let line = 1;
  let firstLine = 1;
  let quotedSince = 0;
  const endRow = () => {
    if (cells.length > 0 || cell !== "") rows.push({ line: firstLine, cells: [...cells, cell] });
    cells = [];
    cell = "";
  };
  // A byte order mark is no part of the first name.
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let i = start; i < text.length; i++) {
    const letter = text[i]!;
    if (letter === "\n") line++;
    if (quotedSince > 0) {
      if (letter !== '"') cell += letter;
      else if (text[i + 1] === '"') cell += text[++i]!;
      else quotedSince = 0;
    } else if (letter === '"' && cell === "") quotedSince = line;
    else if (letter === ",") {
      cells.push(cell);
      cell = "";
    } else if (letter === "\n") {
      endRow();
      firstLine = line;
    } else if (letter !== "\r") cell += letter;
  }
  if (quotedSince > 0) {
    throw new DataError(
      `Cannot read ${path}: the quote on line ${quotedSince} is never closed, a closing one is wanted`,
    );
  }
  endRow();
  return rows;
}
