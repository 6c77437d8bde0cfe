import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { StoredFile } from '../../api/types.ts';
import { Problem } from '../../ui/problem.tsx';
import styles from './files.module.css';
import { contentQuery } from './queries.ts';
import { toFileName, toPreview } from './texts.ts';

/** Shows an image or a text. Nothing in it runs: an image is drawn, and everything else is text. */
export function FilePreview({ file }: { file: StoredFile }) {
  const preview = toPreview(file);
  const isShown = preview === 'image' || preview === 'text';
  const content = useQuery({ ...contentQuery(file.id), enabled: isShown });
  if (preview === 'none') return <p className={styles.quiet}>Files of this kind are not shown here.</p>;
  if (preview === 'large') return <p className={styles.quiet}>It is too large to be shown here.</p>;
  return (
    <>
      <Problem error={content.error} />
      {content.isPending && <p className={styles.quiet}>It is loaded …</p>}
      {content.data && preview === 'image' && <Image blob={content.data} name={toFileName(file)} />}
      {content.data && preview === 'text' && <Text fileId={file.id} blob={content.data} />}
    </>
  );
}

function Image({ blob, name }: { blob: Blob; name: string }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(blob);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [blob],
  );
  return <img ref={show} alt={name} className={styles.image} />;
}

/** The characters of a text that are shown. */
const mostCharacters = 100_000;

function Text({ fileId, blob }: { fileId: string; blob: Blob }) {
  const { data: text } = useQuery({
    queryKey: ['file-contents', fileId, 'text'],
    staleTime: Infinity,
    gcTime: 0,
    queryFn: () => blob.text(),
  });
  if (text === undefined) return null;
  return (
    <>
      <pre className={styles.text} tabIndex={0} aria-label="Content" role="region">
        {text.slice(0, mostCharacters)}
      </pre>
      {text.length > mostCharacters && (
        <p className={styles.quiet}>This is its beginning; the whole text is in the download.</p>
      )}
    </>
  );
}
