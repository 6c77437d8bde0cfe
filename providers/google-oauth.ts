import type { ProviderOAuth } from '../src/engines/providers/define-provider.ts';

/** The OAuth endpoints of all Google APIs (https://developers.google.com/identity/protocols/oauth2/web-server). */
export const googleOAuth: ProviderOAuth = {
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  clientAuthentication: 'post',
  scopes: [],
  // Without these parameters Google returns no refresh token, or only the first time.
  parameters: { access_type: 'offline', prompt: 'consent' },
};
