/** One line of the table: the kind of turns that it runs. */
export interface BenchRow {
  name: string;
  /** Turns of Holdfast, or the baseline workflow of seven steps. */
  kind: 'holdfast' | 'raw';
  /** Regular activities, or local ones. */
  execution: 'inspectable' | 'fast';
  /** How a turn is submitted: by a Temporal client after its insert, or over the HTTP API with `?wait=true`. */
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

/** Returns the baseline row of a row; undefined for a baseline row. */
export function findFloor(row: BenchRow): BenchRow | undefined {
  return row.kind === 'raw'
    ? undefined
    : rows.find(({ kind, execution }) => kind === 'raw' && execution === row.execution);
}
