import type { Document } from '../../api/types.ts';
import { formatCount } from '../../ui/format.ts';
import { Status } from '../../ui/status.tsx';

/** The state of a document, with how far its processing is. */
export function DocumentState({ document: { status, progress } }: { document: Document }) {
  const { step, chunks, embeddedChunks } = progress;
  if (status !== 'processing') return <Status status={status} />;
  const done =
    step === 'embedding' ? `${formatCount(embeddedChunks)} of ${formatCount(chunks)} embedded` : step;
  return <Status status={status} text={done} />;
}
