import type { TimedProcess } from '../measure/processor-time.ts';
import type { LoadOrder, LoadRequests, MeasuredRequests, ModelRequests } from '../programs/contract.ts';
import type { Program } from '../programs/program.ts';

/** The programs of an installation by their kind; Postgres counts with the processes of its sessions. */
export type ProgramGroups = Record<string, Pick<TimedProcess, 'pid'>[]>;

/** The programs that a load is sent to, and those that are measured meanwhile. */
export interface LoadTarget extends Omit<LoadOrder, 'inFlight' | 'spreadMs'> {
  /** The name of its figures. */
  row: string;
  model: Program<ModelRequests>;
  load: Program<LoadRequests>;
  /** The programs whose memory is measured after a garbage collection. */
  workers: Program<MeasuredRequests>[];
  /** All programs, also those that simulate vendors and users. */
  groups: ProgramGroups;
  /** Null when nothing is stored in Postgres. */
  databaseUrl: string | null;
}
