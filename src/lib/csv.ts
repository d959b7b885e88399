/** A line of a CSV file as RFC 4180 has it, but for its end: a line feed alone. Cells are quoted where they must be. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
