import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import type { Document } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { UploadMany } from '../../ui/upload-many.tsx';
import { DocumentState } from './document-state.tsx';
import styles from './knowledge.module.css';
import { documentsQuery, refreshKnowledge } from './queries.ts';

/** The documents of a knowledge base, with a place to add more. */
export function DocumentsView({ baseId }: { baseId: string }) {
  const documents = useInfiniteQuery(documentsQuery(baseId));
  const canWrite = useMay()('knowledge:write');
  const queries = useQueryClient();
  return (
    <div className={styles.documents}>
      {canWrite && (
        <UploadMany
          label="Add documents …"
          send={(file) => holdfast.knowledgeBases.documents.create(baseId, { file })}
          onSent={() => void refreshKnowledge(queries)}
        />
      )}
      <Problem error={documents.error} />
      <div className={styles.list}>
        <List
          label="Documents"
          items={documents.data?.pages.flatMap(({ items }) => items) ?? []}
          toKey={({ id }) => id}
          columns={columns}
          loadMore={documents.hasNextPage ? () => void documents.fetchNextPage() : undefined}
          isLoading={documents.isFetching}
          empty={
            <Empty
              title="There is no document yet"
              text={
                canWrite
                  ? 'Add files above: text, Markdown, HTML, PDF and DOCX, of 32 MiB at most. They are read in the background.'
                  : 'People who may change knowledge add files here.'
              }
            />
          }
        />
      </div>
    </div>
  );
}

const columns: readonly Column<Document>[] = [
  {
    name: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ id, name }) => (
      <Link
        to="."
        search={(before: object) => ({ ...before, document: id })}
        replace
        className={styles.name}
        aria-haspopup="dialog"
      >
        {name}
      </Link>
    ),
  },
  { name: 'State', width: 'minmax(84px, 1fr)', cell: (document) => <DocumentState document={document} /> },
  {
    name: 'Problem',
    width: 'minmax(0, 2fr)',
    isWide: true,
    cell: ({ error }) => error && <span className={styles.error}>{error.message}</span>,
  },
  {
    name: 'Passages',
    width: '72px',
    isNumber: true,
    isWide: true,
    cell: ({ chunkCount }) => formatCount(chunkCount),
  },
  { name: 'Pages', width: '56px', isNumber: true, isWide: true, cell: ({ pages }) => pages ?? '' },
  { name: 'Size', width: '76px', isNumber: true, isWide: true, cell: ({ bytes }) => formatBytes(bytes) },
  { name: 'Changed', width: '92px', isNumber: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];
