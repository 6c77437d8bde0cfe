import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import type { StoredFile } from '../../api/types.ts';
import { useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatBytes } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { UploadMany } from '../../ui/upload-many.tsx';
import { FileDialog } from './file-dialog.tsx';
import styles from './files.module.css';
import { filesQuery } from './queries.ts';
import { parseFilesSearch } from './search.ts';
import { toFileName, toSizeInSight } from './texts.ts';

/** The files that people and programs have uploaded. */
export function Page() {
  const { file } = useSearchOf(parseFilesSearch);
  const files = useInfiniteQuery(filesQuery);
  const queries = useQueryClient();
  const canWrite = useMay()('conversations:write');
  return (
    <Frame title="Files" fills>
      <div className={styles.files}>
        {canWrite && (
          <UploadMany
            label="Upload files …"
            send={(given) => holdfast.files.create({ file: given })}
            onSent={() => void queries.invalidateQueries({ queryKey: ['files'] })}
          />
        )}
        <Problem error={files.error} />
        <div className={styles.list}>
          <List
            label="Files"
            items={files.data?.pages.flatMap(({ items }) => items) ?? []}
            toKey={({ id }) => id}
            columns={columns}
            loadMore={files.hasNextPage ? () => void files.fetchNextPage() : undefined}
            isLoading={files.isFetching}
            empty={<NoFiles canWrite={canWrite} />}
          />
        </div>
      </div>
      {file !== undefined && <FileDialog fileId={file} />}
    </Frame>
  );
}

function NoFiles({ canWrite }: { canWrite: boolean }) {
  return (
    <Empty
      title="There is no file yet"
      text={
        canWrite
          ? 'Upload files above, or attach them to a message. One that no message names is deleted after 7 days.'
          : 'Files that are attached to messages stand here.'
      }
      action={canWrite ? <Link to="/playground">Write to an agent</Link> : undefined}
    />
  );
}

const columns: readonly Column<StoredFile>[] = [
  {
    name: 'Name',
    width: 'minmax(0, 2fr)',
    cell: (file) => (
      <Link to="." search={{ file: file.id }} replace className={styles.name} aria-haspopup="dialog">
        {toFileName(file)}
      </Link>
    ),
  },
  { name: 'Kind', width: 'minmax(0, 1fr)', cell: ({ mediaType }) => mediaType },
  { name: 'Measures', width: 'minmax(0, 1fr)', isWide: true, cell: toSizeInSight },
  { name: 'Size', width: '76px', isNumber: true, cell: ({ size }) => formatBytes(size) },
  {
    name: 'Uploaded',
    width: '92px',
    isNumber: true,
    isWide: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];
