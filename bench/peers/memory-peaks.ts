import { readFileSync } from 'node:fs';
import { listProcesses, type TimedProcess } from '../measure/processor-time.ts';

const everyMs = 1_000;

/** Mebibytes of memory by the name of a process; empty on systems other than Linux. */
export type MemoryPeaks = Record<string, number>;

/** Looks at the memory of processes once a second. Pages that several processes share count once in all. */
export function watchMemory(processes: readonly TimedProcess[]): Disposable & { read: () => MemoryPeaks } {
  const peaks: MemoryPeaks = {};
  const look = () => {
    for (const one of processes) {
      const mebibytes = listProcesses(one).reduce((sum, pid) => sum + readMebibytes(pid), 0);
      peaks[one.name] = Math.max(peaks[one.name] ?? 0, mebibytes);
    }
  };
  const timer = process.platform === 'linux' ? setInterval(look, everyMs) : undefined;
  return { read: () => peaks, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Returns the memory of a process, as the proportional set size of proc_pid_smaps_rollup(5); 0 without such a file. */
export function readMebibytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
  } catch {
    // It may have ended between two looks.
    return 0;
  }
}
