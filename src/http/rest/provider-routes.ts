import { z } from 'zod';
import { discoveredToolSchema } from '../../domain/discovered-tool.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { connectionAuthTypes } from '../../domain/connection.ts';
import { toolEffects } from '../../domain/tool.ts';
import { providerCategories } from '../../domain/provider-category.ts';
import { route } from '../server/route.ts';
import { toProviderDetails, toProviderSummary } from './to-provider.ts';

const tag = 'providers';

const category = z.enum(providerCategories);

const summaryShape = {
  name: z.string(),
  title: z.string(),
  description: z.string(),
  category,
  authTypes: z.array(z.enum(connectionAuthTypes)),
  operationCount: z.int(),
};

const authFieldSchema = z.object({
  /** The name of the field in `auth` of a connection. */
  name: z.string(),
  label: z.string(),
  secret: z.boolean(),
  required: z.boolean(),
  /** The default value of the field. */
  value: z.string().optional(),
});

const variableSchema = z.object({
  /** The name of the field in `variables` of a connection. */
  name: z.string(),
  description: z.string(),
  example: z.string(),
  oneOf: z.array(z.string()).nullable(),
  default: z.string().nullable(),
});

const detailsSchema = z.object({
  ...summaryShape,
  baseUrl: z.string(),
  variables: z.array(variableSchema).describe('The parts of the address that a connection has to name'),
  auth: z.object({
    types: z.array(z.object({ type: z.enum(connectionAuthTypes), fields: z.array(authFieldSchema) })),
    scopes: z.array(z.string()),
    hint: z.string().nullable(),
  }),
  operations: z.array(
    discoveredToolSchema.extend({ effect: z.enum(toolEffects), scopes: z.array(z.string()) }),
  ),
});

const listProviders = route({
  method: 'GET',
  path: '/api/providers',
  operationId: 'listProviders',
  summary: 'List providers',
  description: 'Lists the catalogue. `search` finds words in names, titles, descriptions and operations.',
  tag,
  scope: 'connections:read',
  query: z.strictObject({ search: z.string().max(200).optional(), category: category.optional() }),
  answers: {
    200: z.object({ providers: z.array(z.object(summaryShape)), categories: z.array(category) }),
  },
  handler: ({ query, dependencies: { providers } }) =>
    Promise.resolve({
      status: 200,
      data: {
        providers: providers.listProviders(query).map(toProviderSummary),
        categories: providers.listCategories(),
      },
    }),
});

const getProvider = route({
  method: 'GET',
  path: '/api/providers/:name',
  operationId: 'getProvider',
  summary: 'Get a provider',
  description: 'Gets a provider with its operations, and the auth fields that a connection to it needs.',
  tag,
  scope: 'connections:read',
  params: z.object({ name: z.string().max(100) }),
  answers: { 200: z.object({ provider: detailsSchema }) },
  handler: ({ params, dependencies: { providers } }) => {
    const provider = providers.findProvider(params.name);
    if (!provider) throw new HoldfastError('NOT_FOUND', `There is no provider ${params.name}.`);
    return Promise.resolve({
      status: 200,
      data: { provider: toProviderDetails(provider, providers.listTools(params.name)) },
    });
  },
});

/** The endpoints of the catalogue of providers. */
export const providerRoutes = [listProviders, getProvider];
