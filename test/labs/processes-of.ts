import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the command lines of the processes that have a text in their command line or environment. */
export function listProcessesOf(text: string): string[] {
  // Slim Linux images have no ps, and other systems have no /proc.
  if (process.platform === 'linux') return readdirSync('/proc').flatMap((pid) => readProcess(pid, text));
  return execFileSync('ps', ['axeww', '-o', 'command='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .filter((line) => line.includes(text));
}

function readProcess(pid: string, text: string): string[] {
  if (!/^\d+$/.test(pid)) return [];
  try {
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    return `${commandLine}${environment}`.includes(text) ? [commandLine.replaceAll('\0', ' ')] : [];
  } catch {
    // The process has ended, or belongs to another user.
    return [];
  }
}
