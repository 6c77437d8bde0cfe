import type { Dependencies } from './api-dependencies.ts';

/** The path that a browser comes back to after consent. */
export const oauthCallbackPath = '/api/oauth/callback';

/** The redirect URI that is registered with authorization servers. */
export function toRedirectUri({ publicUrl }: Pick<Dependencies, 'publicUrl'>): string {
  return `${publicUrl()}${oauthCallbackPath}`;
}
