import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { KnowledgeBase } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatCount } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { NewBaseButton } from './base-form.tsx';
import styles from './knowledge.module.css';
import { basesQuery } from './queries.ts';

/** The knowledge bases of the workspace. */
export function Page() {
  const bases = useInfiniteQuery(basesQuery);
  const canWrite = useMay()('knowledge:write');
  return (
    <Frame title="Knowledge" fills actions={canWrite ? <NewBaseButton /> : undefined}>
      <Problem error={bases.error} />
      <List
        label="Knowledge bases"
        items={bases.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={columns}
        loadMore={bases.hasNextPage ? () => void bases.fetchNextPage() : undefined}
        isLoading={bases.isFetching}
        empty={
          <Empty
            title="There is no knowledge base yet"
            text="A knowledge base has documents that agents can search: text, Markdown, HTML, PDF and DOCX."
            action={canWrite ? <NewBaseButton /> : undefined}
          />
        }
      />
    </Frame>
  );
}

const columns: readonly Column<KnowledgeBase>[] = [
  {
    name: 'Name',
    width: 'minmax(0, 1fr)',
    cell: ({ id, name }) => (
      <Link to="/knowledge/$baseId" params={{ baseId: id }} className={styles.name}>
        {name}
      </Link>
    ),
  },
  {
    name: 'Description',
    width: 'minmax(0, 2fr)',
    isWide: true,
    cell: ({ description }) => <span className={styles.quiet}>{description}</span>,
  },
  {
    name: 'Documents',
    width: '84px',
    isNumber: true,
    cell: ({ documentCount }) => formatCount(documentCount),
  },
  { name: 'Language', width: '96px', isWide: true, cell: ({ language }) => language },
  {
    name: 'Searched by',
    width: 'minmax(0, 1fr)',
    isWide: true,
    cell: ({ embeddingModel }) => (embeddingModel === null ? 'words' : `words and ${embeddingModel}`),
  },
  { name: 'Changed', width: '92px', isNumber: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];
