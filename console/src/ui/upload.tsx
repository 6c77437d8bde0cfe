import { useId, useState, type DragEvent } from 'react';
import styles from './upload.module.css';

interface UploadProps {
  /** The text of the button, such as `Choose files …`. */
  label: string;
  /** What stands beside the button. */
  hint: string;
  onFiles: (files: File[]) => void;
  /** Whether files are being sent: no more are taken meanwhile. */
  isPending?: boolean;
  /** Whether it takes one file at a time. @default false */
  takesOne?: boolean;
}

/** A place onto which files are dropped, with a button that does the same. */
export function Upload({ label, hint, onFiles, isPending = false, takesOne = false }: UploadProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const given = [...(files ?? [])].slice(0, takesOne ? 1 : undefined);
    if (given.length > 0 && !isPending) onFiles(given);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <div
      className={styles.upload}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <input
        id={id}
        type="file"
        multiple={!takesOne}
        className="visually-hidden"
        disabled={isPending}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
      <label htmlFor={id} className={styles.choose}>
        {isPending ? 'Uploading …' : label}
      </label>
      <span>{hint}</span>
    </div>
  );
}
