import { toClientMetadata } from './client-metadata.ts';
import type { ConnectionDependencies } from '../connection-dependencies.ts';
import { authorizationCallbackPath } from './start-authorization.ts';
import { hidden } from '../../../platform/http/access.ts';
import type { HttpServer } from '../../../platform/http/server-type.ts';

/** The path under the public URL of the document that describes Holdfast to authorization servers. */
export const clientMetadataPath = '/api/oauth/client-metadata.json';

/**
 * Adds the metadata document of Holdfast as an OAuth client. It needs no API key: authorization servers read it
 * (draft-ietf-oauth-client-id-metadata-document), and its address is the client id.
 */
export function addClientMetadata(
  server: HttpServer,
  { publicUrl, clientMetadataUrl }: Pick<ConnectionDependencies, 'publicUrl' | 'clientMetadataUrl'>,
): void {
  server.get(
    clientMetadataPath,
    hidden({ open: 'It describes Holdfast to authorization servers.' }),
    (_request, reply) =>
      reply
        .header('content-type', 'application/json')
        .header('cache-control', 'public, max-age=3600')
        .send({
          client_id: clientMetadataUrl(),
          client_uri: publicUrl(),
          ...toClientMetadata(`${publicUrl()}${authorizationCallbackPath}`),
          token_endpoint_auth_method: 'none',
        }),
  );
}
