import { useState, type ReactNode } from 'react';
import styles from './folded.module.css';

interface FoldedProps {
  title: string;
  /** What it holds, in some words beside the title. */
  summary: ReactNode;
  /** Whether something in it has to be seen: it opens. */
  isNeeded?: boolean;
  children: ReactNode;
}

/** A part of a page that is closed until a person opens it. */
export function Folded({ title, summary, isNeeded = false, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasNeeded, setWasNeeded] = useState(false);
  if (isNeeded !== wasNeeded) {
    setWasNeeded(isNeeded);
    if (isNeeded) setOpen(true);
  }
  return (
    <details
      className={styles.folded}
      open={isOpen}
      onToggle={(event) => {
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary className={styles.summary}>
        <h2>{title}</h2>
        <span className={styles.quiet}>{summary}</span>
      </summary>
      {isOpen && <div className={styles.content}>{children}</div>}
    </details>
  );
}
