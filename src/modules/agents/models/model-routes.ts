import { z } from 'zod';
import type { ModelListDependencies } from '../agent-dependencies.ts';
import { listModels } from './list-models.ts';
import { knownModels } from '../../../domain/known-models.ts';
import { listedModelSchema, modelKinds } from '../../../domain/model-offer.ts';
import { routesOf } from '../../../platform/http/route.ts';

const route = routesOf<ModelListDependencies>();

/** The endpoint of models. */
export const modelRoutes = [
  route({
    method: 'GET',
    path: '/api/models',
    operationId: 'listModels',
    clientName: 'agents.models',
    summary: 'List models',
    description:
      'Lists the models that Holdfast knows, those that the server of models named `compatible/…` offers, and those that ' +
      'agents of the workspace name, with abilities, prices and the keys with which they fail now. An agent may name other ' +
      'models as well.',
    tag: 'agents',
    right: 'models.read',
    query: z.strictObject({
      kind: z.enum(modelKinds).optional(),
      configured: z
        .enum(['true', 'false'])
        .optional()
        .describe("Only models that can be called with the operator's key, or only others"),
    }),
    answers: {
      200: z.object({
        models: z.array(listedModelSchema),
        version: z.string().describe('The day of the list of known models'),
      }),
    },
    handler: async ({ query: { kind, configured }, actor, dependencies }) => {
      const filter = { kind, configured: configured === undefined ? undefined : configured === 'true' };
      const models = await listModels(dependencies, actor, filter);
      return { status: 200, data: { models, version: knownModels.version } };
    },
  }),
];
