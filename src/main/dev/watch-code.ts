import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadClientConfig } from '../../clients/cli/client-config.ts';
import type { Config } from '../config.ts';
import { reloadMessage, type ReloadAnswer } from '../reload-functions.ts';
import { startProcess, type ManagedProcess } from './processes.ts';
import type { Say } from './say.ts';
import type { RunningPrograms } from './start-programs.ts';
import { watchFiles } from './watch-files.ts';

interface CodeWatch {
  config: Config;
  /** The program that pushes agents. */
  cli: string;
  running: RunningPrograms;
  apiKey: string;
  say: Say;
}

/**
 * Pushes the agents of the code now and whenever a file of theirs is saved. When a file of the operator's functions is
 * saved, the API and the worker load them again first. An error in a file is printed, and the agents and
 * functions from before stay in use. `pushed` resolves when the first push has ended.
 */
export function watchCode(watch: CodeWatch): { pushed: Promise<void>; stop: () => Promise<void> } {
  const { config, say } = watch;
  const agents = path.resolve(loadClientConfig(config.environment).agents);
  const functions = path.resolve(config.functions.source ?? 'functions');
  let last: Promise<void> = Promise.resolve();
  let pushing: ManagedProcess | undefined;
  const push = async () => {
    if (!existsSync(agents)) return;
    pushing = await startPush(watch, agents);
    await pushing.exited;
  };
  const queue = (work: () => Promise<void>) => {
    last = last.then(work).catch((error: unknown) => {
      say(`push   | ${error instanceof Error ? error.message : String(error)}`);
    });
    return last;
  };
  const pushed = queue(push);
  const stopWatching = watchFiles([agents, functions], (changed) =>
    queue(async () => {
      if (changed.includes(functions)) await reloadFunctions(watch);
      await push();
    }),
  );
  const stop = async () => {
    await Promise.all([stopWatching(), pushing?.stop()]);
  };
  return { pushed, stop };
}

/** A separate process loads the files anew each time, and cannot harm this one. */
function startPush({ config, cli, running, apiKey, say }: CodeWatch, agents: string) {
  return startProcess({
    name: 'push',
    file: process.execPath,
    arguments: [cli, 'push', '--agents', agents],
    environment: { ...config.environment, HOLDFAST_URL: running.origin, HOLDFAST_API_KEY: apiKey },
    output: { line: (line) => say(`push   | ${line}`) },
  });
}

async function reloadFunctions({ running, say }: CodeWatch): Promise<void> {
  const living = Object.values(running.current()).filter(({ ending }) => ending() === undefined);
  const answers = await Promise.all(living.map(askToReload));
  const known = answers.filter((answer) => answer !== undefined);
  const failed = known.find(({ error }) => error !== undefined);
  if (failed) say(`Functions stay as they were: ${failed.error}`);
  else if (known[0]) say(`Functions were loaded again: ${known[0].count}.`);
}

/** Returns undefined when the program ends before it answers. */
async function askToReload({ child, exited }: ManagedProcess): Promise<ReloadAnswer | undefined> {
  const answer = Promise.withResolvers<ReloadAnswer>();
  const listener = (message: unknown) => {
    if (isAnswer(message)) answer.resolve(message);
  };
  child.on('message', listener);
  child.send(reloadMessage, () => undefined);
  const ended = exited.then(() => undefined);
  return Promise.race([answer.promise, ended]).finally(() => child.off('message', listener));
}

function isAnswer(message: unknown): message is ReloadAnswer {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === ('functions-reloaded' satisfies ReloadAnswer['type'])
  );
}
