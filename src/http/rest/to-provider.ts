import type { ConnectionAuthType } from '../../domain/connection.ts';
import type { DiscoveredTool } from '../../domain/discovered-tool.ts';
import { listWantedScopes } from '../../domain/scopes.ts';
import type { Provider, ProviderAuth } from '../../providers/define-provider.ts';

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
    field('tokenUrl', 'Token URL', oauth ? { value: oauth.tokenUrl } : {}),
    field('clientId', 'Client id'),
    field('clientSecret', 'Client secret', secret),
  ],
  oauth2_authorization_code: () => [
    field('clientId', 'Client id'),
    field('clientSecret', 'Client secret', { ...secret, ...optional }),
  ],
};

/** Maps a provider to its entry in a list. */
export function toProviderSummary({ name, title, description, category, auth, operations }: Provider) {
  const operationCount = Object.keys(operations).length;
  return { name, title, description, category, authTypes: [...auth.types], operationCount };
}

/** Maps a provider to its details, with the fields that a connection needs and the operations. */
export function toProviderDetails(provider: Provider, tools: readonly DiscoveredTool[]) {
  const { auth, baseUrl, variables = {}, operations } = provider;
  return {
    ...toProviderSummary(provider),
    baseUrl,
    variables: Object.entries(variables).map(([name, { description, example, oneOf, default: value }]) => ({
      ...{ name, description, example, oneOf: oneOf ? [...oneOf] : null, default: value ?? null },
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
