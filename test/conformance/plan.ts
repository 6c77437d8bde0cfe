import type { HoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import type { JsonObject } from '../../src/domain/json.ts';

/** What the suite tells the client program of some scenarios. */
export interface Context {
  client_id?: string;
  client_secret?: string;
  private_key_pem?: string;
  signing_algorithm?: string;
  toolCalls?: { name: string; arguments: JsonObject }[];
}

type NewConnection = Parameters<HoldfastClient['connections']['create']>[0];
type Auth = NonNullable<NewConnection['auth']>;

/** A tool as the API lists it. */
export type ListedTool = Awaited<ReturnType<HoldfastClient['connections']['tools']>>['tools'][number];

interface AuthRequest {
  scenario: string;
  context: Context;
  endpoint: string;
}

/** Returns the auth with which a user would connect to the server of a scenario. */
export async function toAuth({ scenario, context, endpoint }: AuthRequest): Promise<Auth> {
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context;
  if (!scenario.startsWith('auth/')) return { type: 'none' };
  if (clientId === undefined) return { type: 'oauth2_authorization_code' };
  const issuer = await findIssuer(endpoint);
  const client = { issuer, clientId };
  if (!scenario.startsWith('auth/client-credentials')) {
    return { type: 'oauth2_authorization_code', ...client, ...(clientSecret ? { clientSecret } : {}) };
  }
  const type = 'oauth2_client_credentials';
  return privateKey === undefined
    ? { type, ...client, clientSecret: clientSecret ?? '' }
    : { type, ...client, privateKey };
}

/** Finds the server at which the client was registered; a user knows it, and the suite does not say. */
async function findIssuer(endpoint: string): Promise<string> {
  const metadata = new URL('/.well-known/oauth-protected-resource/mcp', endpoint);
  const { authorization_servers: servers } = (await (await fetch(metadata)).json()) as {
    authorization_servers: string[];
  };
  return servers[0] ?? '';
}

/** A call of a tool. */
interface Call {
  name: string;
  input: JsonObject;
}

/** Lists the calls that a scenario wants: those of its context, or one of each tool. */
export function toCalls({
  scenario,
  context,
  tools,
}: {
  scenario: string;
  context: Context;
  tools: readonly ListedTool[];
}): Call[] {
  if (context.toolCalls) {
    return context.toolCalls.map(({ name, arguments: input }) => ({ name, input: withoutNulls(input) }));
  }
  // The server of this scenario answers `tools/list` only.
  if (scenario === 'json-schema-ref-no-deref') return [];
  if (scenario === 'json-schema-2020-12-preservation') {
    const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema ?? {};
    return [{ name: 'json_schema_echo', input: { schema: schema } }];
  }
  return tools.map(({ name, inputSchema }) => ({ name, input: toExample(inputSchema) }));
}

/** Leaves out parameters that are null, as the scenario allows: Holdfast refuses null where a schema has no null. */
function withoutNulls(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** Returns arguments for the properties of a schema: a number for numbers, a word for texts. */
function toExample({ properties }: JsonObject): JsonObject {
  const entries = Object.entries((properties ?? {}) as Record<string, JsonObject>);
  return Object.fromEntries(entries.map(([name, { type }]) => [name, toValue(type)]));
}

function toValue(type: unknown) {
  if (type === 'number' || type === 'integer') return 5;
  return type === 'boolean' ? true : 'hello';
}
