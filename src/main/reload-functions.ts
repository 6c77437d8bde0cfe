import type { Logger } from 'pino';
import { beginGeneration } from '../engines/functions/resolve-holdfast.ts';
import type { FunctionRegistry } from '../engines/tools/functions/function-registry.ts';
import type { Config } from './config.ts';
import { loadOwnFunctions } from './load-operator-files.ts';

interface ReloadParts {
  config: Pick<Config, 'functions'>;
  functions: Pick<FunctionRegistry, 'replaceOwn'>;
  logger: Pick<Logger, 'warn'>;
}

/** The message by which a parent process makes a program load the operator's functions again. */
export const reloadMessage = { type: 'reload-functions' } as const;

/** The answer to {@link reloadMessage}: the number of functions, or why the old ones stay. */
export interface ReloadAnswer {
  type: 'functions-reloaded';
  count: number;
  error?: string;
}

/** Loads the operator's functions again whenever the parent process says so, which `npm start` does when a file changes. */
export function reloadOnMessage(parts: ReloadParts): void {
  let last: Promise<unknown> = Promise.resolve();
  process.on('message', (message) => {
    if (!isReloadMessage(message)) return;
    // One after the other: the last one has the newest files.
    last = last.then(async () => process.send?.(await reloadFunctions(parts)));
  });
}

function isReloadMessage(message: unknown): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === reloadMessage.type
  );
}

async function reloadFunctions({ config, functions, logger }: ReloadParts): Promise<ReloadAnswer> {
  try {
    beginGeneration();
    const own = await loadOwnFunctions(config, logger);
    functions.replaceOwn(own);
    return { type: 'functions-reloaded', count: own.length };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { type: 'functions-reloaded', count: 0, error: reason };
  }
}
