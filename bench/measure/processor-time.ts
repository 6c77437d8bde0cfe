import { readFileSync } from 'node:fs';

/** Linux counts these in hundredths of a second for every program, whatever the kernel's own clock. */
const ticksPerSecond = 100;

/** A process whose processor time is measured. */
export interface TimedProcess {
  name: string;
  pid: number;
  /** Also counts its children, those that have ended included. */
  withChildren?: boolean;
}

/** Seconds of processor time by the name of the process; empty on systems other than Linux. */
export type ProcessorTimes = Record<string, number>;

/** Reads how much processor time each process has used since it was started. */
export function readProcessorTimes(processes: readonly TimedProcess[]): ProcessorTimes {
  if (process.platform !== 'linux') return {};
  return Object.fromEntries(processes.map((one) => [one.name, readSeconds(one)]));
}

/** Returns the time that was used between two readings, for each turn of a round. */
export function toUsedTimes(before: ProcessorTimes, after: ProcessorTimes): ProcessorTimes {
  return Object.fromEntries(
    Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]),
  );
}

/** Returns the ids of a process and of those of its children that count. */
export function listProcesses({ pid, withChildren = false }: TimedProcess): number[] {
  return withChildren ? [pid, ...listChildren(pid)] : [pid];
}

function readSeconds({ pid, withChildren = false }: TimedProcess): number {
  const own = readTicks(pid);
  if (!withChildren) return own.self / ticksPerSecond;
  const children = listChildren(pid).map((child) => readTicks(child).self);
  return children.reduce((total, ticks) => total + ticks, own.self + own.endedChildren) / ticksPerSecond;
}

/** Fields 14 to 17 of proc_pid_stat(5), counted after the command's name, which may hold spaces. */
function readTicks(pid: number): { self: number; endedChildren: number } {
  const fields = readOrEmpty(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number);
  return { self: user + system, endedChildren: childrenUser + childrenSystem };
}

function listChildren(pid: number): number[] {
  return readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** A process may end between two looks. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
