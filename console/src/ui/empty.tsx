import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface EmptyProps {
  title: string;
  /** What to do, in a sentence. */
  text?: ReactNode;
  action?: ReactNode;
}

/** Stands where there is nothing yet, and says what to do. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {action}
    </div>
  );
}
