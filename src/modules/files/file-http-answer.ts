import type { Transactions } from '../../platform/database/transactions.ts';
import type { Viewer } from '../../domain/actor.ts';
import type { FileStore } from '../../domain/file.ts';
import { requireSeen } from '../workspaces/require-seen.ts';
import type { BytesAnswer } from '../../platform/http/route.ts';

/** Everything that the answer with a file needs from outside. */
export interface FileAnswerDependencies {
  fileStore: FileStore;
  database: Pick<Transactions, 'pipelined'>;
}

interface FileRequest {
  params: { id: string };
  actor: Viewer;
  dependencies: FileAnswerDependencies;
  openSignal: () => AbortSignal;
}

/** Answers with the bytes of a file, which may be hostile: a browser saves it instead of opening it. */
export async function answerFile(request: FileRequest): Promise<BytesAnswer> {
  const { params, actor, dependencies, openSignal } = request;
  await requireSeen(dependencies.database, actor, { kind: 'file', id: params.id });
  const ref = { workspaceId: actor.workspaceId, id: params.id, signal: openSignal() };
  const { facts, content } = await dependencies.fileStore.open(ref);
  const headers = {
    'content-type': facts.mediaType,
    'content-length': String(facts.size),
    'content-disposition': toDisposition(facts.name),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-cache',
  };
  return { status: 200, bytes: content, headers };
}

/** Writes `Content-Disposition` with a name in any script (RFC 6266). */
function toDisposition(name: string | null): string {
  if (name === null) return 'attachment';
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
