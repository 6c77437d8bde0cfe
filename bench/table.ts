/** Formats cells in columns: the first is aligned left, all others right. */
export function toTable(header: readonly string[], lines: readonly (readonly string[])[]): string {
  const all = [header, ...lines];
  const widths = header.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const toLine = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [toLine(header), rule, ...lines.map(toLine)].join('\n');
}
