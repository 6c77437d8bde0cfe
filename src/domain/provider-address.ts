import type { ConnectionAuthType } from './connection.ts';

/** The addresses of a provider. */
export interface AddressedProvider {
  baseUrl: string;
  auth: {
    oauth?: {
      /** Where requests go when they have a token of OAuth. @default the base URL of the provider */
      baseUrl?: string;
      clientGrant?: { parameters: Readonly<Record<string, string>> };
    };
  };
}

const oauthTypes: readonly unknown[] = [
  'oauth2_authorization_code',
  'oauth2_client_credentials',
] satisfies ConnectionAuthType[];

/** Returns the base URL of a provider for connections with a type of auth; it may have variables. */
export function findProviderUrl({ baseUrl, auth }: AddressedProvider, type: unknown): string {
  return (oauthTypes.includes(type) ? auth.oauth?.baseUrl : undefined) ?? baseUrl;
}

/** Returns an address with every variable that a connection with a type of auth needs. */
export function findVariableUrl(provider: AddressedProvider, type: unknown): string {
  const { parameters = {} } = provider.auth.oauth?.clientGrant ?? {};
  const more = type === 'oauth2_client_credentials' ? Object.values(parameters).join('&') : '';
  return `${findProviderUrl(provider, type)}${more === '' ? '' : `?${more}`}`;
}
