import { runCommand } from './run-command.ts';
import { temporalServerVersion } from './versions.ts';

const probeTimeoutMs = 20_000;

/** Whether Holdfast can use a binary as its Temporal CLI, or the reason why not. */
export type TemporalProbe = { works: true } | { works: false; problem: string };

/** Asks a Temporal CLI for its version, and accepts it when its server is new enough. */
export async function probeTemporal(file: string): Promise<TemporalProbe> {
  const run = await runCommand(file, ['--version'], { timeoutMs: probeTimeoutMs });
  if (!run.succeeded) return { works: false, problem: `"${file} --version" failed: ${run.problem}` };
  const version = /\(Server (\d+\.\d+\.\d+)/.exec(run.output)?.[1];
  if (version === undefined) {
    return { works: false, problem: `"${file} --version" names no server: ${run.output.trim()}` };
  }
  if (isOlder(version, temporalServerVersion)) {
    return { works: false, problem: `its server is ${version}, older than ${temporalServerVersion}.` };
  }
  return { works: true };
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}
