import path from 'node:path';
import { startProcess, describeEnding, type ManagedProcess } from '../../src/main/dev/processes.ts';
import { waitForMessage } from '../../src/main/dev/wait-for-ready.ts';

interface ProgramOptions {
  name: string;
  /** The file to run, and how; relative to the root of the project. */
  file: string;
  nodeArguments?: string[];
  folder: string;
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

type Requests = Record<string, (input: never) => Promise<unknown>>;

/** A program that answers requests. */
export interface Program<Asks extends object> {
  process: ManagedProcess;
  /** @throws Error when the request failed, the program ended, or the benchmark was stopped */
  ask: <Name extends keyof Asks>(
    name: Name,
    ...input: Asks[Name] extends (...input: infer Input) => unknown ? Input : never
  ) => Promise<Asks[Name] extends (...input: never) => Promise<infer Result> ? Result : never>;
}

interface Answer {
  id?: number;
  result?: unknown;
  error?: string;
}

const root = path.join(import.meta.dirname, '..', '..');

/** Starts a program of the benchmark and waits until it is ready. Its output goes to a file of its name. */
export async function startProgram<Asks extends object>(options: ProgramOptions): Promise<Program<Asks>> {
  const { name, folder, environment, nodeArguments = [] } = options;
  const managed = await startProcess({
    name,
    file: process.execPath,
    arguments: [...nodeArguments, path.join(root, options.file)],
    environment,
    output: { logFile: path.join(folder, `${name}.log`) },
    messages: true,
  });
  try {
    await waitForMessage(managed);
  } catch (error) {
    await managed.stop();
    throw error;
  }
  return { process: managed, ask: createAsk(managed, options.signal) as unknown as Program<Asks>['ask'] };
}

function createAsk(managed: ManagedProcess, signal: AbortSignal) {
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  managed.child.on('message', (message) => {
    const answer = message as Answer;
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const ended = managed.exited.then((ending) => {
    throw new Error(`${managed.name} ended with ${describeEnding(ending)} while it was needed.`);
  });
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  for (const promise of [ended, stopped]) promise.catch(() => undefined);
  return async (ask: keyof Requests, input?: unknown): Promise<unknown> => {
    signal.throwIfAborted();
    const id = ++lastId;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    managed.child.send({ id, ask, input });
    const { error, result } = await Promise.race([answered, ended, stopped]);
    if (error !== undefined) throw new Error(`${managed.name} could not ${ask}: ${error}`);
    return result;
  };
}
