import { z } from 'zod';
import { authorizationCallbackPath } from '../../connections/start-authorization.ts';
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
  logo: z.string().describe('A monogram as SVG, not the mark of the vendor'),
  webhooks: z
    .object({ secretFrom: z.enum(['vendor', 'registration']) })
    .nullable()
    .describe(
      'Set when a trigger takes its webhooks: whether the vendor makes their secret, or whoever registers the URL',
    ),
  unverified: z
    .string()
    .nullable()
    .describe('The date of the documentation that it follows, when no document of the vendor could check it'),
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
  authTypes: z
    .array(z.enum(connectionAuthTypes))
    .describe('The types of auth whose requests need it; none for one of the consent page alone'),
});

const detailsSchema = z.object({
  ...summaryShape,
  baseUrl: z.string(),
  setup: z.string().describe('What a person does at the vendor before connecting, in Markdown'),
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
        providers: providers.listProviders(query).map((provider) => toProviderSummary(provider, providers)),
        categories: providers.listCategories(),
      },
    }),
});

const getProvider = route({
  method: 'GET',
  path: '/api/providers/:name',
  operationId: 'getProvider',
  summary: 'Get a provider',
  description:
    'Gets a provider with its operations, the auth fields that a connection to it needs, and how to get their values.',
  tag,
  scope: 'connections:read',
  params: z.object({ name: z.string().max(100) }),
  answers: { 200: z.object({ provider: detailsSchema }) },
  handler: ({ params, dependencies: { providers, publicUrl } }) => {
    const provider = providers.findProvider(params.name);
    if (!provider) throw new HoldfastError('NOT_FOUND', `There is no provider ${params.name}.`);
    const callbackUrl = `${publicUrl()}${authorizationCallbackPath}`;
    const data = { provider: toProviderDetails(provider, providers, callbackUrl) };
    return Promise.resolve({ status: 200, data });
  },
});

/** The endpoints of the catalogue of providers. */
export const providerRoutes = [listProviders, getProvider];
