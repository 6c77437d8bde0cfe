import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toMessage } from '../api/client.ts';
import { formatCount } from './format.ts';
import { Upload } from './upload.tsx';
import styles from './upload.module.css';

interface UploadManyProps {
  /** The text of the button, such as `Add documents …`. */
  label: string;
  /** Sends one file. */
  send: (file: File) => Promise<unknown>;
  /** Called after each file. */
  onSent: () => void;
}

/** A file that was not taken, and why. */
interface Refused {
  name: string;
  reason: string;
}

/** A place for files that are sent one after the other; one that is refused does not stop the others. */
export function UploadMany({ label, send, onSent }: UploadManyProps) {
  const [progress, setProgress] = useState({ sent: 0, of: 0 });
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const refused: Refused[] = [];
      for (const [index, file] of files.entries()) {
        setProgress({ sent: index, of: files.length });
        await send(file).catch((error: unknown) =>
          refused.push({ name: file.name, reason: toMessage(error) }),
        );
        onSent();
      }
      return refused;
    },
  });
  const sent = `${formatCount(progress.sent)} of ${formatCount(progress.of)} are there`;
  return (
    <div className={styles.many}>
      <Upload
        label={label}
        hint={upload.isPending ? sent : 'or drop them here'}
        isPending={upload.isPending}
        onFiles={upload.mutate}
      />
      {upload.data && upload.data.length > 0 && (
        <div role="alert">
          <ul className={styles.refused}>
            {upload.data.map(({ name, reason }, index) => (
              <li key={`${name} ${index}`}>
                {name}: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
