import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import type { Document } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatBytes, formatCount, formatDateTime } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { DocumentState } from './document-state.tsx';
import styles from './knowledge.module.css';
import { documentQuery, isOpen, refreshKnowledge } from './queries.ts';

/** One document: its state, its problem in full, and what can be done with it. */
export function DocumentDialog({ baseId, documentId }: { baseId: string; documentId: string }) {
  const navigate = useNavigate();
  const { data: document, error } = useQuery(documentQuery(baseId, documentId));
  const close = () =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, document: undefined }),
      replace: true,
    });
  const canWrite = useMay()('knowledge:write');
  return (
    <Dialog
      title={document?.name ?? 'Document'}
      isOpen
      onClose={close}
      actions={document && canWrite ? <Actions document={document} onDeleted={close} /> : undefined}
    >
      <Problem error={error} />
      {document && <Details document={document} />}
    </Dialog>
  );
}

function Details({ document }: { document: Document }) {
  const { error, mediaType, bytes, pages, chunkCount, createdAt, updatedAt } = document;
  return (
    <>
      {error && (
        <p className={styles.error}>
          {error.message} <code>{error.code}</code>
        </p>
      )}
      <Facts
        facts={[
          ['State', <DocumentState key="state" document={document} />],
          ['Kind', mediaType],
          ['Size', formatBytes(bytes)],
          ['Pages', pages],
          ['Passages', formatCount(chunkCount)],
          ['Added', formatDateTime(createdAt)],
          ['Changed', formatDateTime(updatedAt)],
        ]}
      />
    </>
  );
}

function Actions({ document, onDeleted }: { document: Document; onDeleted: () => void }) {
  const { id, knowledgeBaseId, name } = document;
  const queries = useQueryClient();
  const again = useMutation({
    mutationFn: () => holdfast.knowledgeBases.documents.reprocess(knowledgeBaseId, id),
    onSuccess: () => refreshKnowledge(queries),
  });
  const remove = useMutation({
    mutationFn: () => holdfast.knowledgeBases.documents.delete(knowledgeBaseId, id),
    onSuccess: () => {
      onDeleted();
      return forgetDeleted(id, ['knowledge-bases', 'documents']);
    },
  });
  return (
    <>
      <Problem error={again.error ?? remove.error} />
      {!isOpen(document) && (
        <Button isPending={again.isPending} onPress={() => again.mutate()}>
          Process it again
        </Button>
      )}
      <ConfirmButton
        title={`Delete ${name}?`}
        text="Searches do not find it from then on."
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </>
  );
}
