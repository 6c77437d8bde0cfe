import { z } from 'zod';
import { turnModelCallSchema } from '../../../domain/model-call.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams } from '../../../platform/http/schemas.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';
import { listModelCalls } from './list-model-calls.ts';

const route = routesOf<Pick<TurnDependencies, 'database'>>();

const listModelCallsRoute = route({
  method: 'GET',
  path: '/api/turns/:id/model-calls',
  operationId: 'listModelCalls',
  clientName: 'turns.modelCalls',
  summary: 'List the model calls of a turn',
  description:
    'One for each iteration, in their order: the model that answered, how long it took, its tokens and its cost; the attempts ' +
    'that failed before, the models that were passed over, and how the context was shortened. A call that runs is listed when ' +
    'its answer is stored, or an attempt has failed that is made again. The failure that ends a turn is its `error`.',
  tag: 'turns',
  right: 'conversations.read',
  params: idParams,
  answers: { 200: z.object({ modelCalls: z.array(turnModelCallSchema) }) },
  handler: async ({ params, dependencies, actor }) => {
    return { status: 200, data: { modelCalls: await listModelCalls(dependencies, actor, params.id) } };
  },
});

/** The endpoint of the model calls of a turn. */
export const modelCallRoutes = [listModelCallsRoute];
