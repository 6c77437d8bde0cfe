import '../../platform/lib/async-disposable-stack.ts';
import path from 'node:path';
import { loadConfig } from '../config.ts';
import type { DevOptions } from './dev-options.ts';
import { prepareDatabase } from './prepare-database.ts';
import { runDevelopment } from './run-development.ts';
import { siblingOf } from './sibling-of.ts';
import { listenForStop } from './stop-requests.ts';

const say = (line: string) => console.log(line);

/** The module of the programs that this one starts. */
const main = path.join(import.meta.dirname, '..', path.basename(import.meta.filename));

/**
 * Runs everything on this machine until it is stopped, as `npm start` and `holdfast dev` do, and ends the process. A
 * parent process that opened a message channel gets a message when everything runs.
 */
export async function startDevelopment(options: Omit<DevOptions, 'help'>): Promise<never> {
  const signal = listenForStop(say);
  try {
    await run(options, signal);
  } catch (error) {
    if (error !== signal.reason) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    }
  }
  // Ends the process even when a library keeps a socket or a timer open.
  process.exit();
}

async function run(
  { worker, push, verbose, data }: Omit<DevOptions, 'help'>,
  signal: AbortSignal,
): Promise<void> {
  const config = loadConfig(toDevelopmentEnvironment(process.env));
  await runDevelopment({
    config: data === undefined ? config : loadConfig({ ...config.environment, HOLDFAST_DATA_DIR: data }),
    programs: {
      api: siblingOf(main, 'api'),
      worker: siblingOf(main, 'worker'),
      cli: siblingOf(main, 'holdfast'),
    },
    worker,
    push,
    verbose,
    say,
    signal,
    prepareDatabase,
    onReady: ({ origin, apiKey }) => process.send?.({ type: 'ready', origin, apiKey }),
  });
}

/** Lets connections reach MCP servers on this machine, unless the environment says otherwise. */
function toDevelopmentEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { HOLDFAST_ALLOW_LOOPBACK: allowLoopback } = environment;
  return { ...environment, HOLDFAST_ALLOW_LOOPBACK: allowLoopback || 'connections' };
}
