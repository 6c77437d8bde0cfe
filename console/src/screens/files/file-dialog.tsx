import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import type { StoredFile } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatBytes, formatDateTime } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { FilePreview } from './file-preview.tsx';
import styles from './files.module.css';
import { fileQuery } from './queries.ts';
import { toFileName, toSizeInSight } from './texts.ts';

/** One file: what is known of it, what it shows, and what can be done with it. */
export function FileDialog({ fileId }: { fileId: string }) {
  const navigate = useNavigate();
  const { data: file, error } = useQuery(fileQuery(fileId));
  const close = () => void navigate({ to: '/files', replace: true });
  return (
    <Dialog
      title={file ? toFileName(file) : 'File'}
      isOpen
      isWide
      onClose={close}
      actions={file && <Actions file={file} onDeleted={close} />}
    >
      <Problem error={error} />
      {file && (
        <>
          <Facts
            facts={[
              ['Kind', file.mediaType],
              ['Size', formatBytes(file.size)],
              ['Measures', toSizeInSight(file)],
              ['Uploaded', formatDateTime(file.createdAt)],
              ['SHA-256', <code key="sum">{file.sha256}</code>],
            ]}
          />
          <FilePreview file={file} />
        </>
      )}
    </Dialog>
  );
}

function Actions({ file, onDeleted }: { file: StoredFile; onDeleted: () => void }) {
  const canWrite = useMay()('conversations:write');
  const remove = useMutation({
    mutationFn: () => holdfast.files.delete(file.id),
    onSuccess: () => {
      onDeleted();
      return forgetDeleted(file.id, ['files']);
    },
  });
  return (
    <>
      <Problem error={remove.error} />
      <Copy text={file.id}>Copy the id</Copy>
      <a className={styles.download} href={`/api/files/${file.id}/content`} download={file.name ?? ''}>
        Download
      </a>
      {canWrite && (
        <ConfirmButton
          title={`Delete ${toFileName(file)}?`}
          text="Its content is deleted for good. Messages that name it stay, and models are told that it was deleted."
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Delete
        </ConfirmButton>
      )}
    </>
  );
}
