import type { ConnectionValues } from '../connection-rows.ts';
import type { ConnectionAuth } from '../../../domain/connection.ts';
import type { ConnectionParts } from '../connection-parts.ts';
import { toPublicAuth } from './public-auth.ts';
import { sealSecrets } from './stored-secrets.ts';

/**
 * Maps new auth to the columns of a connection. Until a person has consented in a browser, the connection is `expired`.
 */
export function toAuthValues(
  { keyRing, maskSecret }: Pick<ConnectionParts, 'keyRing' | 'maskSecret'>,
  row: { id: string; workspaceId: string },
  auth: ConnectionAuth,
): ConnectionValues {
  const isPending = auth.type === 'oauth2_authorization_code';
  return {
    auth: toPublicAuth({ auth }, maskSecret),
    secrets: sealSecrets(keyRing, row, { auth }),
    status: isPending ? 'expired' : 'active',
    statusReason: isPending
      ? `It has not been authorized yet: GET /api/connections/${row.id}/authorize gives the address for a browser.`
      : null,
    expiresAt: null,
  };
}
