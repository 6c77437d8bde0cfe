import type { ConnectionAuthType } from '../../domain/connection.ts';
import { findVariableUrl } from '../../domain/provider-address.ts';
import { listWantedScopes } from '../../domain/scopes.ts';
import { listUrlVariables } from '../../domain/url-variables.ts';
import type { Provider, ProviderAuth } from '../../engines/providers/define-provider.ts';
import type { ImportedProviderEntry } from './imported-provider-repository.ts';
import type { ProviderEntry } from '../../engines/providers/provider-entry.ts';
import type { ProviderRegistry } from '../../engines/providers/registry.ts';

/** Everything that the answers about providers need from outside. */
export interface ProviderDependencies {
  providers: ProviderRegistry;
  /** Where browsers reach the API, without a slash at the end. */
  publicUrl: () => string;
}

interface AuthField {
  name: string;
  label: string;
  secret: boolean;
  required: boolean;
  value?: string;
}

function field(name: string, label: string, options: Partial<AuthField> = {}): AuthField {
  return { name, label, secret: false, required: true, ...options };
}

const secret = { secret: true };
const optional = { required: false };

/** The auth fields for each type of auth. */
const authFields: Record<ConnectionAuthType, (auth: ProviderAuth) => AuthField[]> = {
  none: () => [],
  api_key: ({ apiKey }) => [
    field('key', 'API key', secret),
    field('header', 'Header', { required: false, value: apiKey?.header ?? 'X-Api-Key' }),
    field('prefix', 'Before the key', { required: false, value: apiKey?.prefix ?? '' }),
  ],
  bearer: () => [field('token', 'Token', secret)],
  basic: ({ basic }) => [
    field('username', basic?.username ?? 'User name'),
    field('password', basic?.password ?? 'Password', secret),
  ],
  keys: ({ keys = {} }) =>
    Object.entries(keys).map(([name, { title }]) => field(`values.${name}`, title, secret)),
  oauth2_client_credentials: ({ oauth }) => [
    ...(oauth ? [] : [field('tokenUrl', 'Token URL')]),
    field('clientId', 'Client id'),
    field('clientSecret', 'Client secret', secret),
  ],
  oauth2_authorization_code: () => [
    field('clientId', 'Client id'),
    field('clientSecret', 'Client secret', { ...secret, ...optional }),
  ],
};

/** Maps a provider of the catalogue to its entry in a list. */
export function toProviderSummary(
  provider: Provider,
  { drawLogo, findWebhookSender }: Pick<ProviderRegistry, 'drawLogo' | 'findWebhookSender'>,
) {
  const sender = findWebhookSender(provider.name);
  const { name, title, description, category, auth, operations, unverified = null } = provider;
  return {
    ...{ name, title, description, category, unverified },
    source: 'catalogue' as ProviderEntry['source'],
    version: null as number | null,
    authTypes: [...auth.types],
    operationCount: Object.keys(operations).length,
    logo: drawLogo(provider),
    webhooks: sender ? { secretFrom: sender.secretFrom } : null,
  };
}

/** Maps an imported provider to its entry in a list. */
export function toImportedSummary(
  imported: ImportedProviderEntry,
  { drawLogo }: Pick<ProviderRegistry, 'drawLogo'>,
): ReturnType<typeof toProviderSummary> {
  const { name, title, description, category, version, authTypes, operationNames } = imported;
  return {
    ...{ name, title, description, category, version, authTypes, unverified: null },
    ...{ source: 'imported', webhooks: null },
    operationCount: operationNames.length,
    logo: drawLogo(imported),
  };
}

/** Maps a provider to its details, with the fields that a connection needs and the operations. */
export function toProviderDetails(
  { provider, tools, source }: ProviderEntry,
  registry: Pick<ProviderRegistry, 'drawLogo' | 'describeSetup' | 'findWebhookSender'>,
  { callbackUrl, version = null }: { callbackUrl: string; version?: number | null },
) {
  const { auth, baseUrl, variables = {}, operations } = provider;
  const listNeeding = (name: string) =>
    auth.types.filter((type) => listUrlVariables(findVariableUrl(provider, type)).includes(name));
  return {
    ...toProviderSummary(provider, registry),
    ...{ source, version },
    baseUrl,
    setup: registry.describeSetup(provider, callbackUrl),
    variables: Object.entries(variables).map(([name, { description, example, oneOf, default: value }]) => ({
      ...{ name, description, example, oneOf: oneOf ? [...oneOf] : null, default: value ?? null },
      authTypes: listNeeding(name),
    })),
    auth: {
      types: auth.types.map((type) => ({ type, fields: authFields[type](auth) })),
      scopes: auth.oauth ? listWantedScopes(auth.oauth.scopes, operations) : [],
      hint: auth.hint ?? null,
    },
    operations: tools.map((tool) => ({
      ...tool,
      effect: operations[tool.executeRef]?.effect ?? 'unsafe',
      scopes: listWantedScopes([], operations, [tool.executeRef]),
    })),
  };
}
