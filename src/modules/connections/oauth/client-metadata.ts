import { loopbackHosts } from './oauth-request.ts';

/**
 * Describes Holdfast as an OAuth client with a redirect URI (RFC 7591, section 2). `application_type` is
 * of OpenID Connect Registration: servers allow http to loopback for native clients only.
 */
export function toClientMetadata(redirectUri: string) {
  return {
    client_name: 'Holdfast',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: loopbackHosts.has(new URL(redirectUri).hostname) ? 'native' : 'web',
  };
}
