import { z } from 'zod';
import { authorizationCallbackPath } from '../connections/oauth/start-authorization.ts';
import {
  importChangesSchema,
  importReportSchema,
  importRequestSchema,
  mcpServerDraftSchema,
} from './provider-import.ts';
import { deleteImportedProvider } from './delete-imported-provider.ts';
import type { ImportDependencies } from './import-dependencies.ts';
import { importProvider, type ImportOutcome } from './import-provider.ts';
import { routesOf } from '../../platform/http/route.ts';
import { providerDetailsSchema } from './provider-routes.ts';
import { toProviderDetails, type ProviderDependencies } from './to-provider.ts';

const route = routesOf<ImportDependencies & ProviderDependencies>();
const tag = 'providers';

/** A document of 10 MiB with the escapes that it has as a text in JSON. */
const maxBodyBytes = 16 * 1024 * 1024;

const answer = z.object({
  stored: z.boolean(),
  provider: providerDetailsSchema
    .omit({ operations: true })
    .nullable()
    .describe('The provider that was made, or would be; null for a server.json'),
  ...importReportSchema.shape,
  changes: importChangesSchema
    .nullable()
    .describe('What differs from the version before; null for a first import'),
  mcpServer: mcpServerDraftSchema
    .nullable()
    .describe('The draft of a connection, when the document is a server.json of the MCP registry'),
});

const importProviderRoute = route({
  method: 'POST',
  path: '/api/providers/import',
  operationId: 'importProvider',
  summary: 'Import a provider',
  description:
    'Makes a provider of the workspace from an OpenAPI document 3.0 or 3.1 of up to 10 MiB: its operations are tools of ' +
    'connections to it. A second import of the same name is the next version, which connections and tools use from then on. ' +
    'A `server.json` of the MCP registry is answered with the draft of a connection. Errors name the place in the document.',
  tag,
  right: 'providers.import',
  body: importRequestSchema,
  maxBodyBytes,
  answers: { 200: answer, 201: answer },
  errors: ['CONFLICT'],
  handler: async ({ body, actor, dependencies, openSignal }) => {
    const outcome = await importProvider(dependencies, actor, { request: body, signal: openSignal() });
    const data = toAnswer(outcome, dependencies);
    return outcome.version === 1 ? { status: 201, data } : { status: 200, data };
  },
});

function toAnswer(
  { entry, version, report, changes, mcpServer }: ImportOutcome,
  { providers, publicUrl }: ProviderDependencies,
) {
  const callbackUrl = `${publicUrl()}${authorizationCallbackPath}`;
  return {
    ...(report ?? { operations: [], warnings: [], warningCount: 0 }),
    stored: version !== null,
    provider: entry && toProviderDetails(entry, providers, { callbackUrl, version }),
    ...{ changes, mcpServer },
  };
}

const deleteProvider = route({
  method: 'DELETE',
  path: '/api/providers/:name',
  operationId: 'deleteProvider',
  summary: 'Delete an imported provider',
  description: 'Its connections have to be deleted first. Providers of the catalogue cannot be deleted.',
  tag,
  right: 'providers.import',
  params: z.object({ name: z.string().max(100) }),
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: ['CONFLICT'],
  handler: async ({ params, actor, dependencies }) => {
    await deleteImportedProvider(dependencies, actor, params.name);
    return { status: 200, data: { deleted: true } };
  },
});

/** The endpoints of imported providers. */
export const providerImportRoutes = [importProviderRoute, deleteProvider];
