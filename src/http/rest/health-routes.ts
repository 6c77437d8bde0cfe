import { z } from 'zod';
import { HoldfastError } from '../../domain/errors.ts';
import { route } from '../server/route.ts';

const tag = 'health';

/** Health checks exist at the root, where infrastructure looks, and under `/api`, where proxies lead. */
const places = [
  { prefix: '', name: '' },
  { prefix: '/api', name: 'Api' },
];

/** What infrastructure asks. */
export const healthRoutes = places.flatMap(({ prefix, name }) => [
  route({
    method: 'GET',
    path: `${prefix}/health/live`,
    operationId: `get${name}Liveness`,
    summary: 'Whether the process runs',
    tag,
    scope: null,
    answers: { 200: z.object({ status: z.literal('live') }) },
    handler: () => Promise.resolve({ status: 200, data: { status: 'live' } } as const),
  }),
  route({
    method: 'GET',
    path: `${prefix}/health/ready`,
    operationId: `get${name}Readiness`,
    summary: 'Whether turns can be accepted and started',
    tag,
    scope: null,
    answers: { 200: z.object({ status: z.literal('ready') }) },
    handler: async ({ dependencies }) => {
      const { database, temporal } = await dependencies.isReady();
      if (database && temporal) return { status: 200, data: { status: 'ready' } };
      const details = { database, temporal };
      throw new HoldfastError('SERVICE_UNAVAILABLE', 'Not ready.', { details });
    },
  }),
]);
