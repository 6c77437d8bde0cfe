import { z } from 'zod';
import { HoldfastError } from '../domain/errors.ts';
import { routesOf } from '../platform/http/route.ts';

/** Everything that health checks need from outside. */
export interface ReadinessDependencies {
  /**
   * Checks whether the parts that turns need can be reached and whether a worker runs, and counts the workflows that are
   * stuck.
   */
  isReady: () => Promise<{ database: boolean; temporal: boolean; worker: boolean; stuckWorkflows: number }>;
}

const route = routesOf<ReadinessDependencies>();
const tag = 'health';

/** Health checks are at the root for infrastructure, and under `/api` for callers behind a proxy of that path only. */
const places = [
  { prefix: '', name: '' },
  { prefix: '/api', name: 'Api' },
];

/** The endpoints of health checks. */
export const healthRoutes = places.flatMap(({ prefix, name }) => [
  route({
    method: 'GET',
    path: `${prefix}/health/live`,
    operationId: `get${name}Liveness`,
    summary: 'Get the liveness of the server',
    description: 'Answers 200 while the process runs.',
    tag,
    open: 'It says only whether the programs run.',
    answers: { 200: z.object({ status: z.literal('live') }) },
    handler: () => Promise.resolve({ status: 200, data: { status: 'live' } } as const),
  }),
  route({
    method: 'GET',
    path: `${prefix}/health/ready`,
    operationId: `get${name}Readiness`,
    summary: 'Get the readiness of the server',
    description:
      'Answers 200 when the database and Temporal can be reached, which turns need, and 503 otherwise. `worker` is ' +
      'false while no worker runs: turns are accepted, and wait for one. `stuckWorkflows` counts those whose tasks fail again ' +
      'and again, in all workspaces.',
    tag,
    open: 'It says only whether the programs run.',
    answers: { 200: z.object({ status: z.literal('ready'), worker: z.boolean(), stuckWorkflows: z.int() }) },
    handler: async ({ dependencies }) => {
      const { database, temporal, ...more } = await dependencies.isReady();
      if (database && temporal) return { status: 200, data: { status: 'ready', ...more } };
      const details = { database, temporal };
      throw new HoldfastError(
        'SERVICE_UNAVAILABLE',
        'The server is not ready: the details show whether the database and Temporal can be reached.',
        { details },
      );
    },
  }),
]);
