import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { CliResult } from './command-run.ts';

/** A command for the process in `cli-process.ts`. */
export interface CommandRequest {
  id: number;
  words: string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
  input: string;
}

/** The answer to a {@link CommandRequest}: how the command ended, or the error that would have ended its process. */
export type CommandAnswer = { id: number; result: CliResult } | { id: number; error: string };

interface FolderCli {
  child: ChildProcess;
  pending: Map<number, PromiseWithResolvers<CliResult>>;
}

let started: FolderCli | undefined;
let lastId = 0;

/**
 * Runs a command in a working directory, with Node's own loader for the files of code in there. One process runs all such
 * commands of this test process, since starting one takes half a second of computing.
 */
export function runInFolder(request: Omit<CommandRequest, 'id'>): Promise<CliResult> {
  started ??= start();
  const id = (lastId += 1);
  const answered = Promise.withResolvers<CliResult>();
  started.pending.set(id, answered);
  started.child.send({ id, ...request } satisfies CommandRequest);
  return answered.promise;
}

function start(): FolderCli {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = fork(path.join(import.meta.dirname, 'cli-process.ts'), {
    env: { PATH, HOME, NODE_COMPILE_CACHE },
    execArgv: [],
  });
  const pending: FolderCli['pending'] = new Map();
  child.on('message', (answer: CommandAnswer) => {
    const waiting = pending.get(answer.id);
    pending.delete(answer.id);
    if ('result' in answer) waiting?.resolve(answer.result);
    else waiting?.reject(new Error(answer.error));
  });
  child.once('exit', (code) => {
    started = undefined;
    for (const { reject } of pending.values())
      reject(new Error(`The process of commands has ended with the code ${code}.`));
  });
  // It ends when this process does.
  child.unref();
  child.channel?.unref();
  return { child, pending };
}
