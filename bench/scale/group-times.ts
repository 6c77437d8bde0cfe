import { readProcessorTimes, type TimedProcess } from '../measure/processor-time.ts';
import type { ProgramGroups } from './load-target.ts';

/** Returns how much processor time the programs have used since they were started, in seconds, by their kind. */
export function readGroupTimes(groups: ProgramGroups): Record<string, number> {
  return mapGroups(groups, (processes) =>
    sum(processes.flatMap((one) => Object.values(readProcessorTimes([one])))),
  );
}

/** Returns a number for each kind of programs, with the sessions of Postgres among its processes. */
export function mapGroups(
  groups: ProgramGroups,
  toNumber: (processes: TimedProcess[]) => number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, programs]) => [
      name,
      toNumber(programs.map(({ pid }) => ({ name, pid, withChildren: name === 'postgres' }))),
    ]),
  );
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
