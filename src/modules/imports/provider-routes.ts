import { z } from 'zod';
import { authorizationCallbackPath } from '../connections/oauth/start-authorization.ts';
import { discoveredToolSchema } from '../../domain/discovered-tool.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { connectionAuthTypeSchema } from '../../domain/connection.ts';
import { toolEffects } from '../../domain/tool.ts';
import { providerCategories } from '../../domain/provider-category.ts';
import { createImportedProviderRepository } from './imported-provider-repository.ts';
import type { ImportDependencies } from './import-dependencies.ts';
import { routesOf } from '../../platform/http/route.ts';
import {
  toImportedSummary,
  toProviderDetails,
  toProviderSummary,
  type ProviderDependencies,
} from './to-provider.ts';

const route = routesOf<ProviderDependencies & Pick<ImportDependencies, 'findProviderEntry'>>();
const tag = 'providers';

const category = z.enum(providerCategories);

const summaryShape = {
  name: z.string(),
  title: z.string(),
  description: z.string(),
  category,
  authTypes: z.array(connectionAuthTypeSchema),
  operationCount: z.int(),
  source: z.enum(['catalogue', 'imported']),
  version: z.int().nullable().describe('The version of an imported provider'),
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
    .array(connectionAuthTypeSchema)
    .describe('The types of auth whose requests need it; none for one of the consent page alone'),
});

/** A provider with its operations. */
export const providerDetailsSchema = z.object({
  ...summaryShape,
  baseUrl: z.string(),
  setup: z.string().describe('What a person does at the vendor before connecting, in Markdown'),
  variables: z.array(variableSchema).describe('The parts of the address that a connection has to name'),
  auth: z.object({
    types: z.array(z.object({ type: connectionAuthTypeSchema, fields: z.array(authFieldSchema) })),
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
  description:
    'Lists the catalogue, and the providers that the workspace has imported. `search` finds words in names, titles, ' +
    'descriptions and operations.',
  tag,
  right: 'connections.read',
  query: z.strictObject({ search: z.string().max(200).optional(), category: category.optional() }),
  answers: {
    200: z.object({ providers: z.array(z.object(summaryShape)), categories: z.array(category) }),
  },
  handler: async ({ query, inWorkspace, dependencies: { providers } }) => {
    const all = await inWorkspace((trx) => createImportedProviderRepository(trx).listImported());
    const imported = all.filter((one) => providers.fitsFilter(one, query));
    const listed = await providers.listProviders(query);
    const categories = [...(await providers.listCategories()), ...all.map((one) => one.category)];
    return {
      status: 200,
      data: {
        providers: [
          ...listed.map((provider) => toProviderSummary(provider, providers)),
          ...imported.map((one) => toImportedSummary(one, providers)),
        ].toSorted((one, other) => one.title.localeCompare(other.title, 'en')),
        categories: [...new Set(categories)].sort(),
      },
    };
  },
});

const getProvider = route({
  method: 'GET',
  path: '/api/providers/:name',
  operationId: 'getProvider',
  summary: 'Get a provider',
  description:
    'Gets a provider with its operations, the auth fields that a connection to it needs, and how to get their values.',
  tag,
  right: 'connections.read',
  params: z.object({ name: z.string().max(100) }),
  answers: { 200: z.object({ provider: providerDetailsSchema }) },
  handler: async ({ params: { name }, actor, inWorkspace, dependencies }) => {
    const { providers, findProviderEntry, publicUrl } = dependencies;
    const { workspaceId } = actor;
    const entry = await findProviderEntry({ workspaceId, name });
    if (!entry) throw new HoldfastError('NOT_FOUND', `There is no provider ${name}.`);
    const imported =
      entry.source === 'imported'
        ? await inWorkspace((trx) => createImportedProviderRepository(trx).findImported(name))
        : null;
    const callbackUrl = `${publicUrl()}${authorizationCallbackPath}`;
    const facts = { callbackUrl, version: imported?.version ?? null };
    return { status: 200, data: { provider: toProviderDetails(entry, providers, facts) } };
  },
});

/** The endpoints of the catalogue of providers. */
export const providerRoutes = [listProviders, getProvider];
