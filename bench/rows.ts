/** What one line of the table runs. */
export interface BenchRow {
  name: string;
  /** Whose turns these are: ours, or seven bare steps. */
  kind: 'holdfast' | 'raw';
  /** Regular activities, or local ones. */
  execution: 'inspectable' | 'fast';
  /** The way in: a Temporal client (after the insert of the turn), or the HTTP API with `?wait=true`. */
  through: 'engine' | 'http';
}

/** The lines of the table, in the order in which their rounds take turns. */
export const rows: readonly BenchRow[] = [
  { name: 'raw floor, regular', kind: 'raw', execution: 'inspectable', through: 'engine' },
  { name: 'inspectable', kind: 'holdfast', execution: 'inspectable', through: 'engine' },
  { name: 'raw floor, local', kind: 'raw', execution: 'fast', through: 'engine' },
  { name: 'fast', kind: 'holdfast', execution: 'fast', through: 'engine' },
  {
    name: 'inspectable, over HTTP',
    kind: 'holdfast',
    execution: 'inspectable',
    through: 'http',
  },
  { name: 'fast, over HTTP', kind: 'holdfast', execution: 'fast', through: 'http' },
];

/** The raw row that a row stands on; undefined for that row itself. */
export function findFloor(row: BenchRow): BenchRow | undefined {
  return row.kind === 'raw'
    ? undefined
    : rows.find(({ kind, execution }) => kind === 'raw' && execution === row.execution);
}
