import path from 'node:path';
import { loadConfig } from './config.ts';
import { devHelp, parseDevOptions } from './dev/dev-options.ts';
import { prepareDatabase } from './dev/prepare-database.ts';
import { runDevelopment } from './dev/run-development.ts';
import { listenForStop } from './dev/stop-requests.ts';

const say = (line: string) => console.log(line);
const signal = listenForStop(say);

/** Lets connections reach MCP servers on this machine, unless the environment says otherwise. */
function toDevelopmentEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { HOLDFAST_ALLOW_LOOPBACK: allowLoopback } = environment;
  return { ...environment, HOLDFAST_ALLOW_LOOPBACK: allowLoopback || 'connections' };
}

async function main(commandArguments: string[]): Promise<void> {
  const { help, worker, push, data } = parseDevOptions(commandArguments);
  if (help) {
    say(devHelp);
    return;
  }
  const config = loadConfig(toDevelopmentEnvironment(process.env));
  await runDevelopment({
    config: data === undefined ? config : loadConfig({ ...config.environment, HOLDFAST_DATA_DIR: data }),
    programs: {
      api: path.join(import.meta.dirname, 'api.ts'),
      worker: path.join(import.meta.dirname, 'worker.ts'),
      cli: path.join(import.meta.dirname, 'holdfast.ts'),
    },
    worker,
    push,
    say,
    signal,
    prepareDatabase,
  });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error !== signal.reason) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
// Ends the process even when a library keeps a socket or a timer open.
process.exit();
