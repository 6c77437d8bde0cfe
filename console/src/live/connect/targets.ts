import type { GetProviderResponse } from '../../api/types.ts';
import { mcpAuth, noAuth, plainAuth, tokenAuth, type AuthOffer } from './auth-offers.ts';

/** What a connection leads to, and what it has to be given. */
export interface Target {
  /** The name of the provider in the API. */
  provider: string;
  title: string;
  offers: readonly AuthOffer[];
  /** The parts of the address that a customer has alone, such as a subdomain. */
  variables: GetProviderResponse['variables'];
  /** Whether the address of the server is asked for. */
  endpoint: 'required' | 'optional' | 'none';
  /** How to get the credentials, in Markdown. */
  setup: string;
  /** What to give as credentials, in a sentence. */
  hint: string | null;
}

const plain = { variables: [], setup: '', hint: null };

const vendor = (provider: string, title: string, more: Partial<Target> = {}): Target => ({
  ...plain,
  ...{ provider, title, offers: [tokenAuth('API key')], endpoint: 'optional' },
  ...more,
});

/** The vendors of models. */
export const modelVendors: readonly Target[] = [
  vendor('openai', 'OpenAI'),
  vendor('anthropic', 'Anthropic'),
  vendor('google', 'Google'),
  vendor('compatible', 'A server that speaks the API of OpenAI', {
    offers: [noAuth, tokenAuth('API key')],
    endpoint: 'required',
  }),
];

/** Any MCP server. */
export const mcpServer: Target = {
  ...plain,
  ...{ provider: 'mcp', title: 'MCP server', offers: mcpAuth, endpoint: 'required' },
};

/** Any API, for the function `http_request`. */
export const httpApi: Target = {
  ...plain,
  ...{ provider: 'http', title: 'API over HTTP', offers: plainAuth, endpoint: 'required' },
};

/** What the connections of a provider lead to. */
export function toTarget(provider: GetProviderResponse): Target {
  const { name, title, auth, variables, setup } = provider;
  return {
    ...{ provider: name, title, variables, setup, endpoint: 'none' },
    ...{ offers: auth.types.length === 0 ? [noAuth] : auth.types, hint: auth.hint },
  };
}

/** What a connection leads to that is no provider of the catalogue; undefined for one that is. */
export function findPlainTarget(provider: string): Target | undefined {
  return [mcpServer, httpApi, ...modelVendors].find((target) => target.provider === provider);
}
