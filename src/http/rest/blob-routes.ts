import { createBlobRepository } from '../../db/files/blob-store.ts';
import { route } from '../server/route.ts';
import { idParams } from '../server/schemas.ts';

/** Writes `Content-Disposition` with a name in any script (RFC 6266). */
function toDisposition(name: string | null): string {
  if (name === null) return 'attachment';
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}

const getBlob = route({
  method: 'GET',
  path: '/api/blobs/:id',
  operationId: 'getBlob',
  summary: 'Get a stored file',
  description:
    'Answers with the bytes of a binary part of a tool result (`blobId` in the `content` of a tool call), in the media ' +
    'type that its server named. The file may be hostile, so the headers make a browser save it instead of opening it.',
  tag: 'blobs',
  scope: 'conversations:read',
  params: idParams,
  answers: {},
  sendsBytes: true,
  handler: async ({ params, inWorkspace }) => {
    const blob = await inWorkspace((trx) => createBlobRepository(trx).getBlob(params.id));
    const headers = {
      'content-type': blob.mediaType,
      'content-disposition': toDisposition(blob.name),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
    };
    return { status: 200, bytes: blob.bytes, headers };
  },
});

/** The endpoints of stored files. */
export const blobRoutes = [getBlob];
