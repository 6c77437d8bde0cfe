import { toBareEnvironment } from '../../src/main/dev/bare-environment.ts';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { programNodeOptions, programVariables } from '../../src/main/dev/start-programs.ts';
import { waitForHttp } from '../../src/main/dev/wait-for-ready.ts';
import type { Place } from '../place.ts';
import { startProgram, type Program } from './program.ts';

interface PlacedProgram {
  name: string;
  file: string;
  nodeArguments?: string[];
  variables?: Record<string, string>;
}

/** Starts a program of a measurement, which ends with its place. It sees no variables but those that it is given. */
export async function startInPlace<Asks extends object>(
  { folder, environment, signal, stack }: Place,
  { variables, ...program }: PlacedProgram,
): Promise<Program<Asks>> {
  const all = { ...toBareEnvironment(environment), ...variables };
  const started = await startProgram<Asks>({ ...program, folder, signal, environment: all });
  stack.defer(async () => {
    await started.process.stop();
  });
  return started;
}

/** Starts a worker or an API with the options of Node and the variables that `npm start` gives it. */
export function startProgramInPlace<Asks extends object>(
  place: Place,
  { nodeArguments = [], variables, ...program }: PlacedProgram,
): Promise<Program<Asks>> {
  return startInPlace(place, {
    ...program,
    nodeArguments: [...programNodeOptions, ...nodeArguments],
    variables: { ...programVariables, ...variables },
  });
}

/** Starts the API on a free port and waits until it is ready. */
export async function startApiInPlace(place: Place, variables: Record<string, string>, name = 'api') {
  const port = await findFreePort();
  const { process } = await startProgramInPlace(place, {
    ...{ name, file: 'src/main/api.ts', variables: { ...variables, PORT: String(port) } },
  });
  const origin = `http://127.0.0.1:${port}`;
  await waitForHttp(`${origin}/health/ready`, process);
  return { process, origin };
}
