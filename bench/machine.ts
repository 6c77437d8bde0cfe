import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';

/** The machine on which the figures were measured. */
export interface Machine {
  system: string;
  processor: string;
  cores: number;
  memoryGiB: number;
  node: string;
  /** The load average of the minute before. */
  loadBefore: number;
}

/** Describes this machine. */
export function describeMachine(): Machine {
  return {
    system: `${platform()} ${arch()}`,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
    loadBefore: loadavg()[0] ?? 0,
  };
}
