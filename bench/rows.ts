import type { ExecutionMode } from '../src/domain/agent.ts';

/** One line of the table: the kind of turns that it runs. */
export interface BenchRow {
  name: string;
  /** Turns of Holdfast, or the baseline workflow that a turn stands on. */
  kind: 'holdfast' | 'raw';
  /** An activity for each step; or no workflow, of which the baseline is one local activity. */
  execution: ExecutionMode;
  /**
   * How a turn is submitted: from the worker's own process, which asks for an eager start; by a Temporal client in a
   * separate process, which cannot, and which starts a workflow for each turn; or over the HTTP API with `?wait=true`. A turn is
   * stored before it is started.
   */
  through: 'worker' | 'client' | 'http';
  /** The row that this one is compared with. */
  floor?: string;
}

const worker = { through: 'worker' } as const;
const client = { through: 'client' } as const;
const http = { kind: 'holdfast', through: 'http' } as const;

/** The lines of the table, in the order in which their rounds take turns. */
export const rows: readonly BenchRow[] = [
  { name: 'floor of inspectable', kind: 'raw', execution: 'inspectable', ...worker },
  {
    name: 'inspectable',
    kind: 'holdfast',
    execution: 'inspectable',
    ...worker,
    floor: 'floor of inspectable',
  },
  { name: 'floor of direct', kind: 'raw', execution: 'direct', ...worker },
  { name: 'direct', kind: 'holdfast', execution: 'direct', ...worker, floor: 'floor of direct' },
  { name: 'floor of direct, client apart', kind: 'raw', execution: 'direct', ...client },
  {
    name: 'direct, in a workflow',
    kind: 'holdfast',
    execution: 'direct',
    ...client,
    floor: 'floor of direct, client apart',
  },
  { name: 'inspectable, over HTTP', execution: 'inspectable', ...http },
  { name: 'direct, over HTTP', execution: 'direct', ...http, floor: 'floor of direct, client apart' },
];

/** The row of each way to run the steps that is submitted from the worker's process. */
export const ownRows = rows.filter(({ kind, through }) => kind === 'holdfast' && through === 'worker');
