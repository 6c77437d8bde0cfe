import { listWantedScopes } from '../../domain/scopes.ts';
import type { Provider } from './define-provider.ts';

/**
 * Returns what a person does before connecting, as Markdown: the steps at the vendor, and for OAuth the address of the
 * callback and the scopes of the app.
 */
export function describeSetup({ auth, operations, setup }: Provider, callbackUrl: string): string {
  const { oauth } = auth;
  const scopes = oauth ? listWantedScopes(oauth.scopes, operations) : [];
  const steps = [
    ...setup,
    ...(auth.types.includes('oauth2_authorization_code')
      ? [`For OAuth, register \`${callbackUrl}\` as the redirect address of the app.`]
      : []),
    ...(scopes.length > 0
      ? [`Allow the app these scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`]
      : []),
  ];
  return steps.map((step, index) => `${index + 1}. ${step}\n`).join('');
}
