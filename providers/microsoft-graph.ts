import type { Provider } from '../src/engines/providers/define-provider.ts';

/** The address and the auth of all providers that are parts of Microsoft Graph (https://learn.microsoft.com/graph/auth-v2-user). */
export const microsoftGraph = {
  baseUrl: 'https://graph.microsoft.com/v1.0',
  variables: {
    tenant: {
      description: 'Directory (tenant) id or domain; common allows accounts of every organization',
      example: 'contoso.onmicrosoft.com',
      default: 'common',
      severalLabels: true,
    },
  },
  auth: {
    types: ['oauth2_authorization_code', 'bearer'],
    oauth: {
      authorizationUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
      tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
      scopes: ['offline_access', 'User.Read'],
      clientAuthentication: 'post',
    },
    hint: 'The client id and a client secret of an app registration in Microsoft Entra.',
  },
} as const satisfies Partial<Provider>;
